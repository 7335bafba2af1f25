"""Semantics of expressions: order of evaluation, scopes, calls and quantifiers, defined once."""
