"""Escaped words and formulas for LaTeX."""

from __future__ import annotations

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "≠": r"$\ne$", "∉": r"$\notin$", "⊇": r"$\supseteq$", "⊆": r"$\subseteq$",
    "∧": r"$\land$", "∨": r"$\lor$",
    "¬": r"$\lnot$", "≤": r"$\le$", "≥": r"$\ge$", "≈": r"$\approx$",
    "α": r"$\alpha$", "β": r"$\beta$",
    "∞": r"$\infty$", "∈": r"$\in$", "×": r"$\times$", "→": r"$\to$", "·": r"$\cdot$",
    "γ": r"$\gamma$",
    "⇔": r"$\Leftrightarrow$",
    "∪": r"$\cup$", "∖": r"$\setminus$", "∃": r"$\exists$", "∀": r"$\forall$",
    "←": r"$\gets$", "Σ": r"$\Sigma$", "⌊": r"$\lfloor$", "⌋": r"$\rfloor$",
    "σ": r"$\sigma$", "…": r"\dots{}", "<": r"$<$", ">": r"$>$", "|": r"$|$",
}  # fmt: skip


def latex(words: str) -> str:
    """The words, escaped so that LaTeX prints them literally."""
    return "".join(_ESCAPES.get(character, character) for character in words)
