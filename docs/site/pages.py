"""Pages of the site generated from files: games, messages, decisions, functions, notebooks.

MkDocs calls functions with names in `on_` (mkdocs.yml, `hooks`). In: the rule files of `games/`,
`docs/atlas/atlas.json`, the titles of `docs/language/errors` and `docs/decisions`, the public names
of `gamedsl`. Out: pages of the built site. Links out of `docs/` lead to the generated pages; a link
without a page loses its target.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbconvert import MarkdownExporter

import gamedsl
from gamedsl.reports.catalogue import Entry, entries_of, opening_comment

DOCS = Path(__file__).resolve().parents[1]
GAMES = DOCS.parent / "games"
ICON = DOCS.parent / "web" / "src" / "icon.svg"
PLAYGROUND = DOCS.parent / "web" / "dist"
"""The folder built by `python web/build.py`: if present, the site contains the playground."""
WEIGHTS = {"decisions/": 0.1, "CHANGELOG": 0.1, "cookbook": 5, "language/": 2}
"""Weights of pages in the search, by the beginning of their path: how to write a rule comes before
why the language has it."""
WIDE = ("atlas/", "peers")
"""Pages with wide tables, by the beginning of their path: no table of contents beside the text."""
_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)#\s:]*/|\.\./[^)#\s:]*)\)")
_PATH = re.compile(r'(?P<before>\]\(|href=")(?:\.\./)+games/(?P<name>\w+)\.game(?P<after>[)"])')
_BLOCK = re.compile(
    r"^(?P<fence>`{3,})gamedsl\n(?P<rules>.*?)^(?P=fence)$", re.DOTALL | re.MULTILINE
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    icon = ICON.read_text(encoding="utf-8")
    icons = {"site/icon.svg": icon, "site/logo.svg": icon.replace("#2b7a9b", "#ffffff")}
    for where, content in {**icons, **written_pages(), **notebook_pages()}.items():
        files.append(File.generated(config, where, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Point links to rule files and folders at pages of the site; a folder without a page and a
    file out of the documents keep the text of the link alone."""
    here = posixpath.dirname(page.file.src_uri)
    to_playground = posixpath.relpath("playground/index.html", here or ".")
    for start, weight in WEIGHTS.items():
        if page.file.src_uri.startswith(start):
            page.meta["search"] = {"boost": weight}
    if page.file.src_uri.startswith(WIDE):
        page.meta["hide"] = ["toc"]

    def with_link(block: re.Match[str]) -> str:
        link = f"{to_playground}#rules={link_code(block['rules'])}"
        return f'{block[0]}\n<a class="playground" href="{link}">Open in the playground</a>\n'

    def to_game(link: re.Match[str]) -> str:
        suffix = "html" if link["before"].startswith("href") else "md"
        place = posixpath.relpath(f"games/{link['name']}.{suffix}", here or ".")
        return f"{link['before']}{place}{link['after']}"

    def to_page(link: re.Match[str]) -> str:
        target = link["target"] + ("index.md" if link["target"].endswith("/") else "")
        place = posixpath.normpath(posixpath.join(here, target))
        is_lost = place.startswith("..") or (
            target != link["target"] and files.get_file_from_path(place) is None
        )
        return link["text"] if is_lost else f"[{link['text']}]({target})"

    if PLAYGROUND.is_dir():
        markdown = _BLOCK.sub(with_link, markdown)
    return _LINK.sub(to_page, _PATH.sub(to_game, markdown.replace(".ipynb)", ".md)")))


def on_post_build(config: MkDocsConfig) -> None:
    """Put the playground beside the pages."""
    if PLAYGROUND.is_dir():
        target = Path(config.site_dir) / "playground"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(PLAYGROUND, target)


def link_code(rules: str) -> str:
    """Rules as the part after `#rules=` of a playground address (`web/src/share.js`)."""
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(rules.encode()) + packer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


def written_pages() -> dict[str, str]:
    """Markdown texts by path in the site."""
    paths = sorted(GAMES.glob("*.game"))
    texts = {path.name: path.read_text("utf-8") for path in paths}
    entries = entries_of(texts)
    atlas = json.loads((DOCS / "atlas" / "atlas.json").read_text("utf-8"))
    return {
        "games/index.md": _games_page(entries),
        **{
            f"games/{one.name}.md": _game_page(
                one, texts[f"{one.name}.game"], _rows_of(one.name, atlas)
            )
            for one in entries
        },
        "language/errors/index.md": _list_page(
            "Messages",
            "What each message of the checker means, what leads to it, and what to write instead.",
            sorted((DOCS / "language" / "errors").glob("[EW]*.md")),
        ),
        "decisions/index.md": _list_page(
            "Decisions",
            "What was decided about the language and the program, why, and what speaks against it.",
            sorted((DOCS / "decisions").glob("0*.md")),
        ),
        "api.md": _functions_page(gamedsl),
    }


def notebook_pages() -> dict[str, str | bytes]:
    """A page for each executed notebook, with pictures."""
    pages: dict[str, str | bytes] = {}
    for path in sorted((DOCS / "notebooks").glob("*.ipynb")):
        text, kept = MarkdownExporter().from_filename(str(path), {"unique_key": path.stem})
        pages[f"notebooks/{path.stem}.md"] = _with_lab_link(text, path.name)
        pages |= {f"notebooks/{name}": picture for name, picture in kept["outputs"].items()}
    return pages


def _with_lab_link(text: str, name: str) -> str:
    """A notebook's page with a link to the runnable notebook below the title; unchanged if the site
    has no runnable notebook."""
    if not (PLAYGROUND / "lab" / "files" / name).is_file():
        return text
    title, _, rest = text.partition("\n")
    place = f"../playground/lab/notebooks/index.html?path={name}"
    return f'{title}\n\n<a class="playground" href="{place}">Run it in the browser</a>\n{rest}'


def _rows_of(name: str, atlas: dict[str, dict]) -> list[dict]:
    return [row for row in atlas.values() if row["game"] == name]


def _games_page(entries: Iterable[Entry]) -> str:
    """A table of all games."""
    lines = [
        "# Games",
        "",
        "| game | players | chance | hidden | positions | value |",
        "|---|---:|---|---|---:|---|",
    ]
    for one in entries:
        name, *facts, title = one.row
        lines.append(f"| [{title}]({name}.md) | {' | '.join(facts)} |")
    return "\n".join(lines) + "\n"


def _game_page(entry: Entry, text: str, rows: list[dict]) -> str:
    """The picture, results and rules of a game."""
    lines = [
        "---",
        "hide: [navigation, toc]",
        "---",
        "",
        f"# {entry.title}",
        "",
        f"![A position of {entry.title}](../gallery/{entry.name}.svg){{ .position }}",
        "",
        opening_comment(text),
        "",
        f"`gamedsl play {entry.name}` plays it, `gamedsl solve {entry.name}` solves it, "
        f"`gamedsl explain {entry.name}` writes it out.",
        "",
    ]
    if rows:
        lines += [
            "## Solved",
            "",
            "| parameters | result | solved | positions |",
            "|---|---|---|---:|",
            *(_solved_line(row) for row in rows),
            "",
            f"More in [the atlas](../atlas/README.md#{entry.name}).",
            "",
        ]
    lines += ["## Rules", "", "````gamedsl", text.rstrip(), "````", "", "[All games](index.md)", ""]
    return "\n".join(lines)


def _solved_line(row: dict) -> str:
    """A line of the table of results."""
    settings = ", ".join(f"{name} = {value}" for name, value in row["parameters"].items())
    positions = row.get("positions")
    count = "" if positions is None else f"{positions:,}"
    result = row.get("outcome") or "not solved here"
    return f"| {settings or 'as in the file'} | {result} | {row['status']} | {count} |"


def _list_page(title: str, about: str, paths: Iterable[Path]) -> str:
    """Links to pages, by title."""
    lines = [f"# {title}", "", about, ""]
    for path in paths:
        heading = path.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        lines.append(f"- [{heading}]({path.name})")
    return "\n".join(lines) + "\n"


def _functions_page(package: ModuleType) -> str:
    """The public names of the package, with documentation."""
    lines = ["# Functions and classes", "", "The public names of `import gamedsl`.", ""]
    kinds: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in sorted(package.__all__, key=str.lower):
        found = getattr(package, name)
        if not callable(found) or not hasattr(found, "__module__"):
            continue
        is_class = isinstance(found, type)
        is_error = is_class and issubclass(found, Exception)
        kind = "Errors" if is_error else "Classes" if is_class else "Functions"
        kinds[kind].append(f"::: {found.__module__}.{found.__qualname__}")
    for kind, names in kinds.items():
        lines += [f"## {kind}", "", *(line for name in names for line in (name, ""))]
    return "\n".join(lines)
