"""Pictures as PNG and PDF: SVG, drawn by CairoSVG.

`needed` imports the package with the first picture.
"""

from __future__ import annotations

from typing import Literal

from gamedsl.bridges.extras import needed

SCALE = 2.0
"""Pixels of a PNG per pixel of the SVG."""


def printed(svg: str, form: Literal["png", "pdf"]) -> bytes:
    """A picture in another format. Raises `MissingExtraError` without CairoSVG."""
    (cairosvg,) = needed("pictures", "cairosvg")
    if form == "pdf":
        content: bytes = cairosvg.svg2pdf(bytestring=svg.encode())
    else:
        content = cairosvg.svg2png(bytestring=svg.encode(), scale=SCALE)
    return content
