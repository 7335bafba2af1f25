"""The formal definition of a game as a self-contained page, with drawn states."""

from __future__ import annotations

from html import escape

from gamedsl.game import LoadedGame
from gamedsl.reports.boards.as_svg import state_svg
from gamedsl.reports.explanations.sections import Explanation, Section

_STYLE = """
:root { color-scheme: light; --paper: #fff; --ink: #1f2933; --rules: #f5f7f9 }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --paper: #14181d; --ink: #e8ebee; --rules: #232a32 }
  figure svg { border-radius: 6px; filter: brightness(.88) } }
body { font: 16px/1.5 Helvetica, Arial, sans-serif; max-width: 52rem; margin: 2rem auto;
       padding: 0 1rem; color: var(--ink); background: var(--paper) }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem } h2 code { font-size: 1.05em }
li { margin: .15rem 0 } code, pre { font-family: Menlo, Consolas, monospace; font-size: .9rem }
pre { background: var(--rules); padding: .7rem 1rem; overflow-x: auto; border-radius: 6px }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; vertical-align: top }
figcaption { font-family: Menlo, Consolas, monospace; font-size: .85rem }
figure svg { max-width: 100%; height: auto }
figcaption { margin-bottom: .3rem }
@media print { figure, pre, li { break-inside: avoid } h2 { break-after: avoid }
  pre { white-space: pre-wrap } }
"""


def explain_html(explanation: Explanation, game: LoadedGame) -> str:
    """The page; loads no external resources."""
    title = escape(explanation.title)
    about = f"<p>{escape(explanation.about)}</p>\n" if explanation.about else ""
    sections = "".join(_section(section, game) for section in explanation.sections)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{about}{sections}</main>\n</body>\n</html>\n"
    )


def _section(section: Section, game: LoadedGame) -> str:
    parts = [f"<h2><code>{escape(section.name)}</code>: {escape(section.meaning)}</h2>\n"]
    lines = [*section.formulas, *section.values]
    if lines:
        items = "".join(f"<li><code>{escape(line)}</code></li>\n" for line in lines)
        parts.append(f"<ul>\n{items}</ul>\n")
    if section.code:
        parts.append(f"<pre>{escape(section.code.rstrip())}</pre>\n")
    for picture in section.pictures:
        drawn = state_svg(game, picture.state)
        caption = f"<figcaption>{escape(picture.formula)}</figcaption>"
        parts.append(f"<figure>{caption}{drawn}</figure>\n")
    return f"<section>\n{''.join(parts)}</section>\n"
