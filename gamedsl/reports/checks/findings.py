"""The findings of `check` in a file, for people and for machines.

A `FileReport` becomes text, one line per finding, JSON-ready data, or workflow commands. A false
claim is drawn as a diagnostic with the line of the claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gamedsl.conformance import PlayTest
from gamedsl.model import Facts
from gamedsl.reports.checks.facts import facts_data
from gamedsl.reports.checks.ways_out import way_out
from gamedsl.reports.json_text import data_of
from gamedsl.solvers.expectations import Verdict
from gamedsl.source import Diagnostic, Label, Severity, SourceFile
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass
from gamedsl.source.render import render, render_concise, to_json

CLAIM_FAILS = "E4001"
CLAIM_UNDECIDED = "W4002"


@dataclass(frozen=True, slots=True)
class FileReport:
    """The findings in a file.

    Attributes:
        source: the text, None if the file could not be read.
        diagnostics: from reading, checking and playing, in order.
        verdicts: on the claims; empty if there are errors, or without play.
        facts: None if there are errors.
        exploration: the extent of play; None without play.
        left_out: number of claims about parameters other than the given parameters.
        refusal: the reason why `solve` does not apply, if known.
        fallback: the reason for the use of the interpreter; None for compiled rules, or without
            play.
        claims: the file whose claims replaced the text's own claims; None: the text's own.
    """

    file: str
    source: SourceFile | None
    diagnostics: tuple[Diagnostic, ...]
    verdicts: tuple[Verdict, ...] = ()
    facts: Facts | None = None
    exploration: PlayTest | None = None
    left_out: int = 0
    refusal: str | None = None
    fallback: str | None = None
    claims: str | None = None

    @property
    def is_ok(self) -> bool:
        """Whether there is no error and no claim known to be false."""
        refuted = any(verdict.ok is False for verdict in self.verdicts)
        return not refuted and not any(diagnostic.is_error for diagnostic in self.diagnostics)

    @property
    def is_undecided(self) -> bool:
        """Whether a claim could neither be verified nor refuted."""
        return any(verdict.ok is None for verdict in self.verdicts)

    @property
    def is_clean(self) -> bool:
        """Whether there are no findings."""
        return self.source is not None and not self.findings()

    def __str__(self) -> str:
        return "\n".join([*(render(finding) for finding in self.findings()), summary(self)])

    __repr__ = __str__

    def findings(self) -> tuple[Diagnostic, ...]:
        """The diagnostics, and false or undecided claims as diagnostics."""
        return (*self.diagnostics, *self._claims())

    def _claims(self) -> Iterator[Diagnostic]:
        for verdict in self.verdicts:
            if verdict.ok is not True:
                diagnostic = _claim_diagnostic(verdict, self.source)
                yield (
                    diagnostic
                    if self.claims is None
                    else _kept_apart(diagnostic, verdict, self.claims)
                )


def _claim_diagnostic(verdict: Verdict, source: SourceFile | None) -> Diagnostic:
    label = Label(verdict.expectation.span)
    if verdict.ok is None:
        why = verdict.reason or f"found {verdict.observed}"
        message = f"this claim could not be decided: {why}"
        return Diagnostic(
            CLAIM_UNDECIDED, message, label, source, severity=Severity.WARNING, hint=None
        )
    observed = f"; found: {verdict.observed}" if verdict.observed else ""
    message = f"this claim does not hold: claimed {verdict.expected}{observed}"
    notes = (verdict.reason,) if verdict.reason else ()
    return Diagnostic(CLAIM_FAILS, message, label, source, notes=notes)


def _kept_apart(diagnostic: Diagnostic, verdict: Verdict, claims: str) -> Diagnostic:
    """The finding without the claim's text, so that the report gives no answer away."""
    observed = f"; found: {verdict.observed}" if verdict.observed else ""
    holds = "does not hold" if verdict.ok is False else "could not be decided"
    return replace(
        diagnostic,
        message=f"the claim about `{_asked(verdict)}` in {claims} {holds}{observed}",
        primary=None,
    )


def _asked(verdict: Verdict) -> str:
    """The subject of a claim: `value with n = 4`."""
    return verdict.expectation.text.partition(":")[0].removeprefix("expect").strip()


def looked_at(report: FileReport) -> str:
    """The extent of the search for mistakes, and the number of true claims, in a line."""
    parts = [] if report.exploration is None else [_extent(report.exploration)]
    words = {
        True: ("holds", "hold"),
        False: ("does not hold", "do not hold"),
        None: ("could not be decided",) * 2,
    }
    for answer, (singular, plural) in words.items():
        claims = sum(verdict.ok is answer for verdict in report.verdicts)
        if claims:
            parts.append(f"{count(claims, 'claim')} {singular if claims == 1 else plural}")
    return "; ".join(parts)


def summary(report: FileReport) -> str:
    """A summary of a file: `nim.game: ok; 7 claims hold; no error in all 232 positions`.

    A second line is added if the interpreter is used, or if `solve` does not apply.
    """
    parts = [_counts(report)]
    holding = [verdict for verdict in report.verdicts if verdict.ok is True]
    if holding:
        limited = sum(bool(verdict.reason) for verdict in holding)
        of_one = f" ({limited} about one of several equilibria)" if limited else ""
        verb = "holds" if len(holding) == 1 else "hold"
        parts.append(f"{count(len(holding), 'claim')} {verb}{of_one}")
    if report.left_out:
        parts.append(f"{count(report.left_out, 'claim')} left out: about other parameters")
    if report.exploration is not None and not any(d.is_error for d in report.diagnostics):
        parts.append(f"no error in {_looked_at(report.exploration)}")
    parts += [f"claims of {report.claims}"] if report.claims is not None else []
    included = _includes(report)
    parts += [f"includes {', '.join(included)}"] if included else []
    fallback = ""
    if report.fallback:
        way = way_out(report.fallback)
        fallback = f"\n  played by the interpreter: {report.fallback}{way}"
    refusal = f"\n  `solve` refuses: {report.refusal}" if report.refusal else ""
    return f"{report.file}: {'; '.join(parts)}{fallback}{refusal}"


def _extent(exploration: PlayTest) -> str:
    """The extent of the exploration."""
    positions = count(exploration.positions, "position")
    if exploration.is_complete:
        return "the only position" if exploration.positions == 1 else f"all {positions}"
    if not exploration.waiting:
        return f"{positions}, of whose choices not all were tried"
    plays = f" and {count(exploration.plays, 'random play')}" if exploration.plays else ""
    nearest = "the first position" if exploration.positions <= 1 else f"the nearest {positions}"
    return f"{nearest}{plays}"


def _looked_at(exploration: PlayTest) -> str:
    """The extent of the exploration, with the option that extends the exploration."""
    extent = _extent(exploration)
    if exploration.is_complete or not exploration.waiting:
        return extent
    if exploration.per_second is not None:
        pace = exploration.per_second
        reason = f"since each takes {1 / pace:.2g} s" if pace else "since it took all the time"
        return f"{extent}, and no more, {reason} (--time N goes on)"
    waiting = f"{exploration.waiting:,} more found and not looked at"
    more = "--time allows more" if exploration.is_out_of_time else "--positions N, or all"
    return f"{extent}; {waiting} ({more})"


def _counts(report: FileReport) -> str:
    findings = report.findings()
    numbers = {
        "error": sum(finding.severity is Severity.ERROR for finding in findings),
        "warning": sum(finding.severity is Severity.WARNING for finding in findings),
        "note": sum(finding.severity is Severity.NOTE for finding in findings),
    }
    words = [count(number, noun) for noun, number in numbers.items() if number]
    if report.is_ok:
        words.insert(0, "undecided" if report.is_undecided else "ok")
    return ", ".join(words)


def concise_text(report: FileReport) -> str:
    """One line per finding; empty without findings."""
    return "\n".join(render_concise(finding) for finding in report.findings())


def github_text(report: FileReport) -> str:
    """Findings as workflow commands of GitHub Actions, shown as annotations."""
    return "\n".join(_workflow_command(finding) for finding in report.findings())


def _workflow_command(finding: Diagnostic) -> str:
    kind = {Severity.ERROR: "error", Severity.WARNING: "warning"}.get(finding.severity, "notice")
    places = {"file": finding.file_name, "title": finding.code}
    if finding.position is not None:
        places["line"], places["col"] = map(str, finding.position)
    keys = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in places.items())
    text = finding.message if finding.hint is None else f"{finding.message}\nhelp: {finding.hint}"
    return f"::{kind} {keys}::{_escaped(text, '')}"


def _escaped(text: str, also: str) -> str:
    """Text percent-encoded for workflow commands."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + also else c for c in text)


def check_data(reports: Sequence[FileReport]) -> dict[str, object]:
    """All files in the schema of the machine interface, JSON-ready."""
    return {
        "ok": all(report.is_ok for report in reports),
        "files": [
            data_of(
                report,
                "file includes claims ok=is_ok undecided=is_undecided diagnostics left_out refusal "
                "fallback expects facts explored",
                includes=_includes(report),
                diagnostics=[to_json(diagnostic) for diagnostic in report.diagnostics],
                expects=[_verdict_data(verdict, report) for verdict in report.verdicts],
                facts=None if report.facts is None else facts_data(report.facts),
                explored=None if report.exploration is None else _explored(report.exploration),
            )
            for report in reports
        ],
    }


def _includes(report: FileReport) -> list[str]:
    main_files = 1 if report.claims is None else 2
    return [] if report.source is None else [file.name for file in report.source.files[main_files:]]


def _explored(exploration: PlayTest) -> dict[str, object]:
    names = "positions waiting complete=is_complete plays slow"
    return data_of(exploration, names, slow=exploration.per_second is not None)


def _verdict_data(verdict: Verdict, report: FileReport) -> dict[str, object]:
    start, source = verdict.expectation.span.start, report.source
    return {
        "fact": _asked(verdict),
        "line": None if source is None else source.position(start)[0],
        "expected": verdict.expected if report.claims is None else None,
        "found": verdict.observed or None,
        "ok": verdict.ok,
        "reason": verdict.reason or None,
    }
