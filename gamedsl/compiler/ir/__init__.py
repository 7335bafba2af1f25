"""The intermediate representation: values, statements, functions; see `values` and `statements`."""
