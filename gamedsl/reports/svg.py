"""SVG as text: elements with escaped attributes, and estimates of text widths."""

from __future__ import annotations

from html import escape

FONT = "Helvetica, Arial, sans-serif"
PAPER = "#ffffff"
INK = "#1f2933"

_NARROW = frozenset("iljtfrI.,:;|!'()[] /")
_WIDE = frozenset("mwMW@%—→")


def number(value: float) -> str:
    """A coordinate, in at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """`<name ...>children</name>`; children are already markup.

    Attributes: `_` stands for `-` and a final `_` is dropped (`class_`, `stroke_width`); None
    omits the attribute.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            written = value if isinstance(value, str) else number(value)
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(written)}"')
    opening = " ".join(parts)
    return f"<{opening}>{''.join(children)}</{name}>" if children else f"<{opening}/>"


def label(x: float, y: float, words: str, size: float, **attributes: str | float | None) -> str:
    """Text centred at (x, y), with y the middle of the letters."""
    anchor = attributes.pop("text_anchor", "middle")
    return element(
        "text",
        escape(words, quote=False),
        x=x,
        y=y + 0.35 * size,
        text_anchor=anchor,
        font_size=size,
        **attributes,
    )


def text_width(words: str, size: float) -> float:
    """The estimated width of words in the font; rather too wide than too narrow."""
    units = sum(0.34 if c in _NARROW else 0.9 if c in _WIDE else 0.6 for c in words)
    return (units + 0.1) * size


def size_that_fits(words: str, width: float, largest: float) -> float:
    """The font size, at most `largest`, for words of at most `width`."""
    return min(largest, largest * width / max(text_width(words, largest), 1e-9))


def document(
    width: float,
    height: float,
    title: str,
    *children: str,
    style: str | None = None,
    paper: str = PAPER,
    ink: str = INK,
) -> str:
    """A complete picture on paper, with a title for screen readers."""
    return element(
        "svg",
        element("title", escape(title, quote=False)),
        *(() if style is None else (element("style", style),)),
        element("rect", class_="paper", width=width, height=height, fill=paper),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        font_family=FONT,
        fill=ink,
        role="img",
        aria_label=title,
    )
