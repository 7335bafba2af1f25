"""Entry point for the page's requests: each request is passed to the function of its name.

In: JSON, `{"ask": "hover", "text": ..., "offset": 12}`. Out: JSON, `{"answer": ...}`, or
`{"error": {"message": ...}}` for a fault of the rules, the move or the question. Bugs of the
program raise exceptions. Long computations report progress.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from gamedsl.model import (
    GameRuleError,
    GameSourceError,
    IllegalActionError,
    UnsupportedGameError,
)
from gamedsl.playground import plays, resources, texts
from gamedsl.reports.trees.search import SearchLimitError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfHistoriesError

Answerer = Callable[..., object]
"""A function that answers a question; the parameters are the fields of the request."""

AT_ONCE: dict[str, Answerer] = {
    "examples": resources.examples,
    "example": resources.example,
    "starts": resources.starts,
    "remember": resources.remember,
    "rule": resources.rule,
    "patterns": resources.patterns,
    "findings": texts.findings_of,
    "fixes": texts.fixes_of,
    "hover": texts.hover_at,
    "complete": texts.completions_at,
    "format": texts.formatted,
    "position": plays.position,
    "draw": plays.draw,
}
"""Questions about texts and positions, available from the start."""


@cache
def _considered() -> dict[str, Answerer]:
    """Questions that need solvers, imported on first use.

    Solvers make up a third of the library; the first board should not wait for the import.
    """
    from gamedsl.playground import checks, pages, solving

    return {
        "check": checks.check,
        "solve": solving.solve_position,
        "values": solving.values,
        "reply": solving.reply,
        "explain": pages.explanation,
        "tree": pages.tree_page,
        "matrix": pages.matrix,
    }


TELLING = frozenset({"check"})
"""Questions that report progress."""
LIMITS = (SearchLimitError, OutOfHistoriesError, OutOfBudgetError)


def answer(request: str, tell: Callable[[str], object] = str) -> str:
    """The answer to a request; `tell` receives progress messages.

    Raises `KeyError` for an unknown question, and `TypeError` for wrong fields.
    """
    fields: dict[str, Any] = json.loads(request)
    question = fields.pop("ask")
    if question in TELLING:
        fields["tell"] = tell
    ask = AT_ONCE.get(question) or _considered()[question]
    return json.dumps(_answered(ask, fields), ensure_ascii=False)


def _answered(ask: Answerer, fields: dict[str, Any]) -> dict[str, object]:
    try:
        return {"answer": ask(**fields)}
    except GameSourceError as error:
        return _refusal("the rules have mistakes, which are listed below the editor", str(error))
    except UnsupportedGameError as error:
        return _refusal(f"not supported: {error}")
    except GameRuleError as error:
        where = "" if error.action is None else f", while carrying out {error.action}"
        hint = "" if error.hint is None else f"; {error.hint}"
        return _refusal(f"the rules fail here{where}: {error.message}{hint} ({error.code})")
    except IllegalActionError as error:
        return _refusal(str(error))
    except LIMITS as error:
        return _refusal(f"too large for this: {error}; go on in the game and ask again")
    except MemoryError:
        return _refusal("too large for the memory of this page")


def _refusal(message: str, details: str = "") -> dict[str, object]:
    return {"error": {"message": message, "details": details}}
