"""What turns on a reading, and whether an audit says so.

A game in which the fault of a reading was planted is audited three times: under the option by which its players are
at fault, under the one that they played by, and with the reading open. What an audit says of all other options, the
scope of its findings, is held against what the second referee finds under them. Of one that judges some rules only, or
a record up to some event only, nothing else is compared (auditor.trials.compared).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from random import Random
from typing import Any, NamedTuple

from auditor import engine
from auditor.conformance.inventor import NOT_JUDGED, Inventor
from auditor.conformance.logs import as_jsonl
from auditor.core.rulings import OPEN
from auditor.trials.audited import as_the_referee_tells, held_against
from auditor.trials.tally import Json, Tally

Said = tuple[int, str, str, str | None]
Place = tuple[int, str, str | None]

RECORD = "record"
MOST_OF_A_SCOPE = 3
"""So many of the assignments under which a fault holds, and of those under which it does not, are tried."""


def said(findings: Iterable[Mapping[str, Any]], kind: str = "kind") -> Counter[Said]:
    """What some findings accuse of, each by event, rule, kind and player; `would_be` is the kind of one left open."""
    return Counter((one["seq"], one["rule"], one[kind], one["player"]) for one in findings)


class Judged(NamedTuple):
    """What the second referee finds, and of what it says anything: of `rules`, None for all, before the event `until`."""

    found: Counter[Said]
    rules: Collection[str] | None
    until: int | None

    def says_of(self, one: Said | Place) -> bool:
        """Whether it says anything of such a fault."""
        seq, rule = one[:2]
        return (self.rules is None or rule in self.rules) and (self.until is None or seq < self.until)

    def within(self, some: Counter[Said]) -> Counter[Said]:
        """What is said of what it judges."""
        return Counter({one: times for one, times in some.items() if self.says_of(one)})


def judged_by(inventor: Inventor, lines: list[Json], readings: Mapping[str, str]) -> Judged:
    """What the second referee finds, but for what the record says against itself, which accuses nobody."""
    assert inventor.check is not None, "faults of readings are planted where a second referee judges them"
    found = [one for one in inventor.check(lines, readings) if one.kind != RECORD]
    until = min((one.seq for one in found if one.kind == NOT_JUDGED), default=None)
    said = Counter((one.seq, one.rule, one.kind, one.player) for one in found if one.kind != NOT_JUDGED)
    whole = Judged(said, inventor.judged, until)
    return whole._replace(found=whole.within(said))


def by_referee(inventor: Inventor, lines: list[Json], readings: Mapping[str, str]) -> Counter[Said]:
    """Only what the second referee finds."""
    return judged_by(inventor, lines, readings).found


def contradictions(audit: Json) -> set[int | None]:
    """The events whose record an audit says to contradict itself (CAL-AUD-06)."""
    return {one["seq"] for one in audit["notes"] if one["kind"] == RECORD}


class Tried(NamedTuple):
    """What came of one planting: what is to be counted, and everything that went wrong, a sentence each."""

    counts: Counter[str]
    wrong: list[str]
    game: Any


def try_reading(inventor: Inventor, name: str, number: int, tally: Tally) -> None:
    """Plant the fault of a reading, audit the game, and count what came of it."""
    begun = time.process_time()
    tried = tried_reading(inventor, name, number)
    tally.milliseconds["readings"] += round(1000 * (time.process_time() - begun))
    tally.faults.update({(name, what): times for what, times in tried.counts.items()})
    if tried.game is not None:
        where = {"fault": name, "number": number, "seed": tried.game.seed}
        tally.missed_listed += [{**where, "text": one} for one in tried.wrong[:5]]


def tried_reading(inventor: Inventor, name: str, number: int) -> Tried:
    """Plant the fault of a reading and audit the game under both options and with the reading open.

    Counted are planted, found, missed, "clean under the other", "ambiguous when open", "right scope".
    """
    try:
        game = inventor.plant_reading(name, number)
    except LookupError:
        return Tried(Counter(["no occasion"]), [], None)
    data = as_jsonl(game.lines).encode()

    def audited(readings: Mapping[str, str]) -> Json:
        rulings = {"name": "tried", "readings": dict(readings)}
        audit = engine.audit_log(data, rulings=rulings, digest=False, causes=False, strict=True)
        return as_the_referee_tells(audit)

    judged = audited(game.under)
    theirs = judged_by(inventor, game.lines, game.under)
    scopes = without_the_reading(judged, game.reading, theirs)
    scopes += wrong_scopes(inventor, game.lines, game.under, judged, Random(f"{name} {number}"))
    for chosen in set(inventor.readings[game.reading]) - {game.under[game.reading], game.played[game.reading]}:
        third = {**game.under, game.reading: chosen}
        other = judged_by(inventor, game.lines, third)
        wrong = differences(other.found, other.within(said(held_against(audited(third)))))
        scopes += [f"{one} under {chosen}" for one in wrong]
    troubles = {
        "found": differences(said(game.faults), theirs.within(said(held_against(judged)))),
        "clean under the other": differences(Counter(), said(held_against(audited(game.played)))),
        "ambiguous when open": left_open_wrongly(
            inventor, game.lines, game.under, game.reading, audited({**game.under, game.reading: OPEN})
        ),
        "right scope": scopes,
    }
    counts = Counter(["planted", *(what for what, found in troubles.items() if not found)])
    counts["missed"] = int(bool(troubles["found"]))
    return Tried(counts, [f"not {what}: {one}" for what, found in troubles.items() for one in found], game)


def differences(wanted: Counter[Said], found: Counter[Said]) -> list[str]:
    """What is missing and what is there beyond what was wanted, a sentence each."""
    missing = [f"event {seq}, {rule} {kind} of {player} is missing" for seq, rule, kind, player in wanted - found]
    return missing + [
        f"event {seq}, {rule} {kind} of {player} is too much" for seq, rule, kind, player in found - wanted
    ]


def left_open_wrongly(
    inventor: Inventor, lines: list[Json], under: Mapping[str, str], reading: str, audit: Json
) -> list[str]:
    """Where an audit with a reading open is not `ambiguous` exactly where the referee finds that options disagree.

    `under` is what else it was made under. A fault that is of one kind under one option and of another under the next
    is one finding, which names one of its kinds.
    """
    judged = [judged_by(inventor, lines, {**under, reading: one}) for one in inventor.readings[reading]]
    by_all = Judged(
        Counter(), inventor.judged, min((one.until for one in judged if one.until is not None), default=None)
    )
    found = [set(by_all.within(one.found)) for one in judged]
    agreed, any_of_them = set.intersection(*found), set.union(*found)
    left_open = by_all.within(said([one for one in audit["findings"] if one["kind"] == "ambiguous"], "would_be"))
    disputed = any_of_them - agreed
    disputed -= {
        one
        for one in disputed - set(left_open)
        for other in disputed & set(left_open)
        if _place(one) == _place(other) and not any({one, other} <= some for some in found)
    }
    stands = by_all.within(said([one for one in audit["findings"] if one["stands"]]))
    return differences(Counter(disputed), Counter(set(left_open))) + differences(Counter(agreed), Counter(set(stands)))


def _place(one: Said) -> Place:
    seq, rule, _, player = one
    return seq, rule, player


def without_the_reading(audit: Json, reading: str, judged: Judged) -> list[str]:
    """The findings that stand, of what the second referee judges, and do not say that they hang on a reading."""
    return [
        f"event {one['seq']}, {one['rule']}: the scope does not name {reading}"
        for one in audit["findings"]
        if one["stands"]
        and judged.says_of((one["seq"], one["rule"], one["player"]))
        and (one["scope"]["kind"] == "every_reading" or not any(reading in cube for cube in one["scope"]["holds"]))
    ]


def wrong_scopes(
    inventor: Inventor, lines: list[Json], under: Mapping[str, str], audit: Json, rng: Random
) -> list[str]:
    """Where the scopes of an audit's findings do not say what the referee finds under other options.

    `under` is what the audit was made under. Tried are some of the assignments that the scopes of what stands name,
    and one of all readings at random.
    """
    wrong = []
    tried: list[Mapping[str, str]] = [{name: rng.choice(options) for name, options in inventor.readings.items()}]
    for one in audit["findings"]:
        for part in ("holds", "clears") if one["stands"] and one["scope"]["kind"] == "only_under" else ():
            named = one["scope"][part]
            tried += rng.sample(named, min(MOST_OF_A_SCOPE, len(named)))
    for some in tried:
        readings = {**under, **some}
        foretold, unknown = said_to_hold(inventor, audit, readings)
        judged = judged_by(inventor, lines, readings)
        found = {(seq, rule, player) for seq, rule, _, player in judged.found} - unknown
        for seq, rule, player in sorted({one for one in foretold if judged.says_of(one)} ^ found, key=str):
            how = "is said to hold" if (seq, rule, player) in foretold else "is not said to hold"
            wrong.append(f"event {seq}, {rule} of {player} {how} under {_in_words(inventor, readings)}")
    return wrong


def said_to_hold(inventor: Inventor, audit: Json, readings: Mapping[str, str]) -> tuple[set[Place], set[Place]]:
    """The faults that hold under some readings, as an audit's scopes have it, and those of which it does not say."""
    hold, unknown = set[Place](), set[Place]()
    for one in audit["findings"]:
        place = (one["seq"], one["rule"], one["player"])
        scope = one["scope"]
        if scope["kind"] == "every_reading":
            hold.add(place)
            continue
        names = (scope["holds"] or scope["clears"])[0].keys()
        cube = {name: readings.get(name, inventor.readings[name][0]) for name in names}
        if cube in scope["holds"]:
            hold.add(place)
        elif cube not in scope["clears"]:
            unknown.add(place)
    return hold - unknown, unknown - hold


def _in_words(inventor: Inventor, readings: Mapping[str, str]) -> str:
    return ", ".join(
        f"{name}={chosen}" for name, chosen in sorted(readings.items()) if chosen != inventor.readings[name][0]
    )
