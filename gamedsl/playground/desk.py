"""Where requests of a page come in: each is carried out by the function that it names.

In: JSON, `{"ask": "hover", "text": ..., "offset": 12}`. Out: JSON, `{"answer": ...}`, or
`{"error": {"message": ...}}` with what is wrong with the rules, the move or the question. A mistake
of this program is an exception.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from gamedsl.model import (
    GameRuleError,
    GameSourceError,
    IllegalActionError,
    UnsupportedGameError,
)
from gamedsl.playground import counsel, pages, plays, shelf, texts
from gamedsl.reports.trees.search import SearchLimitError
from gamedsl.solvers.equilibria.extensive_form import OutOfHistoriesError
from gamedsl.solvers.graphs.graph import OutOfBudgetError

ASKED: dict[str, Callable[..., object]] = {
    "examples": shelf.examples,
    "example": shelf.example,
    "rule": shelf.rule,
    "findings": texts.findings_of,
    "fixes": texts.fixes_of,
    "hover": texts.hover_at,
    "complete": texts.completions_at,
    "format": texts.formatted,
    "position": plays.position,
    "draw": plays.draw,
    "solve": counsel.solve_it,
    "values": counsel.values,
    "reply": counsel.reply,
    "explain": pages.explanation,
    "tree": pages.tree_page,
    "matrix": pages.matrix,
}
"""Questions, and the functions that answer them: their parameters are the fields of a request."""

LIMITS = (SearchLimitError, OutOfHistoriesError, OutOfBudgetError)


def answer(request: str) -> str:
    """The answer to a request. Raises `KeyError` for a question that there is not, and `TypeError`
    for one with other fields."""
    fields: dict[str, Any] = json.loads(request)
    ask = ASKED[fields.pop("ask")]
    return json.dumps(_answered(ask, fields), ensure_ascii=False)


def _answered(ask: Callable[..., object], fields: dict[str, Any]) -> dict[str, object]:
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
