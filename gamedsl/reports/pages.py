"""Pages of HTML without external resources."""

from __future__ import annotations

from html import escape


def page(title: str, body: str, style: str, *, script: str = "", head: str = "") -> str:
    """A whole page; `head`: further elements of the head."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'{head}<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"{body}</main>\n{script}</body>\n</html>\n"
    )
