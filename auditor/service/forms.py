"""The forms of an audit that may be large, made by a child when they are first asked for and kept on disk within bounds.

All of them are packed (`jobs.packed`): whoever serves one unpacks it a part at a time, so that no audit, however large,
is ever whole in the web process.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from auditor.jobs.packed import whole
from auditor.jobs.subject import Subject
from auditor.service.audits import Audits
from auditor.service.making import Making
from auditor.service.replays import Replays, is_heavy
from auditor.service.values import AuditLine, Outdated


class Forms:
    """Raises NotYet while there is no audit, BeingDrawn while a form is being made, and NotDrawn where it could not be made
    in the time or memory there is."""

    def __init__(self, audits: Audits, replays: Replays, making: Making) -> None:
        self._audits = audits
        self._replays = replays
        self._making = making

    def report(self, line: AuditLine, prefix: str = "") -> bytes:
        """The report's page without the shell: a line of JSON ({"title"}), then HTML. `prefix` stands before every
        address in it."""
        return self._form(line, prefix, "report")

    def report_list(self, line: AuditLine, name: str, number: int, prefix: str = "") -> bytes:
        """A further page of one list of the report, as `report`. Raises NotFound where there is none."""
        return self._form(line, prefix, "report_list", name, number, also=lambda: (name, number))

    def place(self, line: AuditLine, ident: str, prefix: str = "") -> str:
        """The address of a finding within the report. Raises NotFound."""
        return whole(self._form(line, prefix, "place", ident, also=lambda: (ident,))).decode()

    def event(self, line: AuditLine, seq: int, prefix: str = "") -> bytes:
        """The page of an event without the shell: a line of JSON ({"title", "prev", "next"}), then HTML.

        Raises NotFound where no event has this number.
        """
        return self._form(line, prefix, "event", seq, also=lambda: (self._replays.block(line.key, seq), seq))

    def one_file(self, line: AuditLine) -> bytes:
        """The report as one HTML file."""
        rounds = line.counts.get("events")
        return self._form(
            line, "", "one_file", also=lambda: (self._replays.packed_rounds(line.key) if rounds else None,)
        )

    def csv(self, line: AuditLine) -> bytes:
        """The findings as a table."""
        return self._form(line, "", "csv")

    def sarif(self, line: AuditLine) -> bytes:
        """The findings as SARIF."""
        return self._form(line, "", "sarif")

    def finding(self, line: AuditLine, ident: str) -> bytes:
        """One finding as JSON. Raises NotFound."""
        return self._form(line, "", "finding", ident, also=lambda: (ident,))

    def drawn(self, line: AuditLine, ident: str, prefix: str = "") -> bytes:
        """The page of a finding that its audit does not draw, without the shell: the log is audited once more.

        Raises NotFound where there is no such finding, or rules of today see it otherwise.
        """

        def make() -> bytes | None:
            made = self._replays.drawn(line.key, *self._of(line, prefix), ident)
            if made is None and line.outdated:
                raise Outdated
            return made

        return self._making.ask(f"{line.key} {prefix} drawn {ident}", make, heavy=True)

    def sheet(self, line: AuditLine, ident: str, prefix: str = "") -> bytes:
        """The incident sheet of a finding without the shell: a line of JSON ({"title"}), then HTML. Raises NotFound."""
        return self._form(line, prefix, "sheet", ident, also=lambda: (ident,))

    def transcript(self, line: AuditLine, asked: str, prefix: str = "") -> bytes:
        """The game as text without the shell: a line of JSON ({"title"}), then HTML. `asked`: words that its lines have."""
        return self._form(line, prefix, "transcript", asked, also=lambda: (asked,))

    def compared(self, old: AuditLine, new: AuditLine, *, listed: bool) -> bytes:
        """What differs between two audits as JSON: as `auditor compare` gives it, or as a page lists it."""

        def make() -> Any:
            first, second = self._audits.packed(old.key), self._audits.packed(new.key)
            return self._replays.ask_child(f"{old.digest} {new.digest}", "compared", first, second, listed)

        heavy = is_heavy(old) or is_heavy(new)
        return self._making.ask(f"{old.key} {new.key} compared {listed}", make, heavy=heavy)

    def nearest_event(self, key: str, seq: int | None) -> int | None:
        """The first event whose number is this or the next higher one, else the last; None where there is none."""
        numbers = self._replays.numbers(key)
        if not numbers or seq is None:
            return numbers[0] if numbers else None
        ordered = sorted(numbers)
        return ordered[min(bisect_left(ordered, seq), len(ordered) - 1)]

    def _form(
        self, line: AuditLine, prefix: str, name: str, *what: Any, also: Callable[[], tuple[Any, ...]] = tuple
    ) -> bytes:
        def make() -> Any:
            return self._replays.ask_child(str(line.digest), "form", *self._of(line, prefix), name, *also())

        return self._making.ask(" ".join(map(str, (line.key, prefix, name, *what))), make, heavy=is_heavy(line))

    def _of(self, line: AuditLine, prefix: str) -> tuple[Subject, bytes, bytes]:
        """Whose forms are made: the subject, its audit and its events, packed."""
        subject = Subject(
            line.key,
            line.name,
            line.game,
            line.header,
            line.log_sha256,
            line.verdict or "",
            line.counts.get("events", 0),
            prefix,
        )
        return subject, self._audits.packed(line.key), self._replays.packed_timeline(line.key)
