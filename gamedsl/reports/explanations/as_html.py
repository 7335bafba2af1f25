"""The formal definition of a game as a self-contained page, with drawn states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from gamedsl.game import LoadedGame
from gamedsl.reports.boards.as_svg import state_svg
from gamedsl.reports.explanations.sections import Explanation, Section
from gamedsl.reports.formulas.as_mathml import formula_html
from gamedsl.reports.formulas.tree import Formula, Nest, nested, read
from gamedsl.reports.pages import page

_STYLE = """
:root { color-scheme: light; --paper: #fff; --ink: #1f2933; --rules: #f5f7f9 }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --paper: #14181d; --ink: #e8ebee; --rules: #232a32 }
  figure svg { border-radius: 6px; filter: brightness(.88) } }
body { font: 16px/1.5 Helvetica, Arial, sans-serif; max-width: 52rem; margin: 2rem auto;
       padding: 0 1rem; color: var(--ink); background: var(--paper) }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem }
.line { margin: .25rem 0; padding-left: 2em; text-indent: -2em; overflow-wrap: anywhere }
math { text-indent: 0 } mi.variable { font-style: italic }
mi.function { font-variant-caps: small-caps }
.below { margin-left: 1.5em }
.braced { margin-left: 1.5em; position: relative; padding-left: 1.2em }
.braced > svg { position: absolute; left: 0; top: 0; height: 100%; width: .7em; fill: none;
       stroke: currentColor; stroke-width: 1.2 }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; vertical-align: top }
figure svg { max-width: 100%; height: auto }
figcaption { margin-bottom: .3rem }
@media print { figure, .line { break-inside: avoid } h2 { break-after: avoid } }
"""
_CODE = re.compile(r"`([^`]+)`")
_BRACE = (
    '<svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">'
    '<path vector-effect="non-scaling-stroke" '
    'd="M9 1Q5 1 5 8V42Q5 50 1 50Q5 50 5 58V92Q5 99 9 99"/></svg>'
)


def explain_html(explanation: Explanation, game: LoadedGame) -> str:
    """The page; loads no external resources."""
    about = _CODE.sub(r"<code>\1</code>", escape(explanation.about))
    about = f"<p>{about}</p>\n" if about else ""
    sections = sections_html(explanation, game)
    body = f"<h1>{escape(explanation.title)}</h1>\n{about}{sections}"
    return page(explanation.title, body, _STYLE)


def sections_html(explanation: Explanation, game: LoadedGame, heading: str = "h2") -> str:
    """The sections alone, to stand in another page; `heading`: the element of their names."""
    return "".join(_section(section, game, heading) for section in explanation.sections)


def _section(section: Section, game: LoadedGame, heading: str) -> str:
    name = formula_html(read(section.name))
    parts = [f"<{heading}>{name}: {escape(section.meaning)}</{heading}>\n"]
    parts += _nests(nested((*section.formulas, *section.spelled)))
    parts += [_line(read(value)) for value in section.values]
    for picture in section.pictures:
        drawn = state_svg(game, picture.state)
        caption = f"<figcaption>{formula_html(read(picture.formula))}</figcaption>"
        parts.append(f"<figure>{caption}{drawn}</figure>\n")
    return f"<section>\n{''.join(parts)}</section>\n"


def _nests(nests: tuple[Nest, ...]) -> Iterator[str]:
    """The lines; lines below a line are braced or indented."""
    for nest in nests:
        yield _line(nest.line.formula)
        if nest.below:
            inner = "".join(_nests(nest.below))
            brace = _BRACE if nest.is_braced else ""
            kind = "braced" if nest.is_braced else "below"
            yield f'<div class="{kind}">{brace}<div>{inner}</div></div>\n'


def _line(formula: Formula) -> str:
    return f'<div class="line">{formula_html(formula)}</div>\n'
