"""Is one slip told once? One slip is made in a legal log, or in one with a planted fault, and the auditor is asked.

A slip is what somebody who keeps a log does wrong: a number one off, the other player, another id, a flag turned, a line
written twice, a line left out, two lines exchanged. `seq` is closed up and what points at a line goes with it, as a
program that numbers the lines itself would do. What is counted of the audits, `Told` says.

With planted faults the question is another one: whether what the audit makes of the slip hides the fault, or charges
somebody else with it. Each slip follows from the seed and its number alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any, NamedTuple

from auditor import engine, systems
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import as_the_referee_tells
from auditor.trials.fuzz import FACES, MOST_LISTED, TRIES_A_GAME
from auditor.trials.tally import Json

Path = tuple[str | int, ...]

KINDS = ("number", "number", "player", "id", "id", "flag", "twice", "left out", "exchanged")
POINTERS = ("roll", "trigger", "reroll")
"""Fields that hold the number of an event."""
KEPT = ("seq", "type", "format", "text", "title", *POINTERS)
APART = 3
"""A slip is made at least so many lines from a planted fault."""


class Slip(NamedTuple):
    """One slip: the log with it, the numbers of the lines that are wrong, of what kind it is, and in words what; `lost`: the
    line that was left out."""

    lines: list[Json]
    seqs: frozenset[int]
    kind: str
    words: str
    lost: Json | None = None

    def is_meant(self, meant: Json) -> bool:
        """Whether an explanation is of the line with the slip; a line left out may be taken to be missing later on."""
        missing = meant.get("missing")
        return meant["seq"] in self.seqs or bool(missing and self.lost and missing["type"] == self.lost["type"])


@dataclass
class Told:
    """What some slips gave. Two of them add up.

    accused         somebody is accused, in a finding that does not only follow from another
    several         in more than one such finding
    of_the_other    in one alone, at another line and of another player than that of the line with the slip
    named_beside    of these those beside which the line with the slip is named
    wholly          an explanation takes all accusations away; at_the_slip: of these those that suppose that line otherwise;
                    named: those, and those beside which it is told that the same holds if that line was otherwise
    in_part         an explanation takes some away
    planted         logs with a planted fault; lost: the fault is held to follow from something else; charged: it bears another
                    kind or player than without the explanations
    """

    slips: int = 0
    accused: int = 0
    several: int = 0
    of_the_other: int = 0
    named_beside: int = 0
    wholly: int = 0
    at_the_slip: int = 0
    named: int = 0
    in_part: int = 0
    planted: int = 0
    lost: int = 0
    charged: int = 0
    raised: int = 0
    listed: list[Json] = field(default_factory=list)

    def add(self, more: Told) -> None:
        for one in fields(self):
            if one.name != "listed":
                setattr(self, one.name, getattr(self, one.name) + getattr(more, one.name))
        self.listed += more.listed[: max(0, MOST_LISTED - len(self.listed))]


# -- slips ------------------------------------------------------------------------------------------------------------


def slipped(lines: Sequence[Json], rng: Random, away_from: int | None = None) -> Slip | None:
    """A log with one slip; None where nothing came of it. `away_from`: the number of a line that is left alone."""
    kind = rng.choice(KINDS)
    at = rng.randrange(1, len(lines))
    line = lines[at]
    if away_from is not None and abs(line["seq"] - away_from) < APART:
        return None
    if kind == "twice":
        new = numbered([*lines[: at + 1], dict(line), *lines[at + 1 :]])
        return Slip(new, frozenset((at, at + 1)), kind, line["type"])
    if kind == "left out":
        return Slip(numbered([*lines[:at], *lines[at + 1 :]]), frozenset((at - 1, at)), kind, line["type"], line)
    if kind == "exchanged":
        if at + 1 >= len(lines) or _alike(line, lines[at + 1]):
            return None
        new = numbered([*lines[:at], lines[at + 1], line, *lines[at + 2 :]])
        return Slip(new, frozenset((at, at + 1)), kind, f"{line['type']}, {lines[at + 1]['type']}")
    return _other_value(lines, at, kind, rng)


def _other_value(lines: Sequence[Json], at: int, kind: str, rng: Random) -> Slip | None:
    line = lines[at]
    players = [one["id"] for one in lines[0].get("players", [])]
    places = [(path, value) for path, value in _leaves(line) if _name(path) not in KEPT]
    if kind == "flag":
        places = [(path, value) for path, value in places if isinstance(value, bool)]
    elif kind == "number":
        places = [(path, value) for path, value in places if isinstance(value, (int, float)) and value is not True]
        places = [(path, value) for path, value in places if not isinstance(value, bool)]
    elif kind == "player":
        places = [(path, value) for path, value in places if value in players]
    else:
        pool: dict[str, set[str]] = defaultdict(set)
        for one in lines[1:]:
            for path, value in _leaves(one):
                if isinstance(value, str) and _name(path) not in KEPT:
                    pool[_name(path)].add(value)
        places = [(p, v) for p, v in places if isinstance(v, str) and v not in players and len(pool[_name(p)]) > 3]
        places = [(p, v) for p, v in places if not set(v) <= set(FACES)]  # faces are no id
    if not places:
        return None
    path, old = rng.choice(places)
    if kind == "flag":
        new: Any = not old
    elif kind == "number":
        new = old + rng.choice((1, -1))
    elif kind == "player":
        new = next(one for one in players if one != old)
    else:
        new = rng.choice(sorted(pool[_name(path)] - {old}))
    written = deepcopy(line)
    holder: Any = written
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = new
    words = f"{line['type']}.{'.'.join(map(str, path))}: {old} to {new}"
    return Slip([*lines[:at], written, *lines[at + 1 :]], frozenset((line["seq"],)), kind, words)


def numbered(lines: Sequence[Json]) -> list[Json]:
    """A log with `seq` closed up; what points at a line goes with it."""
    new: dict[Any, int] = {}
    for number, line in enumerate(lines[1:], 1):
        new.setdefault(line["seq"], number)
    found = [lines[0]]
    for number, line in enumerate(lines[1:], 1):
        pointers = (*POINTERS, "to") if line["type"] == "undo" else POINTERS
        moved = {name: new[line[name]] for name in pointers if isinstance(line.get(name), int) and line[name] in new}
        found.append({**line, **moved, "seq": number})
    return found


def _alike(a: Json, b: Json) -> bool:
    return {**a, "seq": 0} == {**b, "seq": 0}


def _leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(part, (*path, key))
    else:
        yield path, value


def _name(path: Path) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "")


# -- what is made of them ---------------------------------------------------------------------------------------------


def legal(game: str, seed: int, numbers: Sequence[int]) -> Told:
    """Slips in legal games."""
    done = Told()
    invent = systems.game(game).inventor().legal_lines
    lines: list[Json] = []
    made_of = None
    for number in numbers:
        if made_of != (made_of := seed * 1_000_000 + number // TRIES_A_GAME):
            lines = invent(made_of)
        slip = slipped(lines, Random(f"{seed} {number}"))
        if slip is None:
            continue
        done.slips += 1
        try:
            _count(done, slip, lines, {"seed": seed, "number": number, "kind": slip.kind, "slip": slip.words})
        except Exception as error:
            done.raised += 1
            done.listed.append({"number": number, "slip": slip.words, "raised": f"{type(error).__name__}: {error}"})
    return done


def _audit(lines: Sequence[Json], **more: Any) -> Json:
    return engine.audit_log(as_jsonl(lines).encode(), digest=False, strict=True, **more)


def _count(done: Told, slip: Slip, lines: Sequence[Json], entry: Json) -> None:
    audit = _audit(slip.lines)
    standing = [one for one in audit["findings"] if one["stands"]]
    roots = [one for one in standing if not one["depends_on"]]
    if not roots:
        return
    done.accused += 1
    several = len(roots) > 1
    done.several += several
    meant = [one["meant"] for one in roots if one.get("meant")]
    whole = [one for one in meant if len(one["explains"]) == len(standing)]
    at_the_slip = [one for one in whole if slip.is_meant(one)]
    done.wholly += bool(whole)
    done.at_the_slip += bool(at_the_slip)
    done.named += any(slip.is_meant(other) for one in whole for other in (one, *one["or"]))
    done.in_part += bool(meant) and not whole
    alone = roots[0]
    wrong = [one for one in slip.lines[1:] if one["seq"] in slip.seqs]
    wrong += [one for one in lines[1:] if one["seq"] in slip.seqs] if slip.lost is None else [slip.lost]
    theirs = {one.get("player", one.get("by")) for one in wrong} - {None}
    of_the_other = not several and alone["seq"] not in slip.seqs and alone["player"] is not None
    of_the_other = of_the_other and bool(theirs) and alone["player"] not in theirs
    done.of_the_other += of_the_other
    beside = [one for one in meant if any(map(slip.is_meant, (one, *one["or"])))]
    done.named_beside += of_the_other and bool(beside)
    if several or of_the_other or not at_the_slip:
        said = [f"{one['seq']} {one['rule']} {one['kind']} {one['player']}: {one['text']}" for one in roots]
        follow = len(standing) - len(roots)
        entry |= {"seqs": sorted(slip.seqs), "roots": said, "follow": follow, "meant": [m["text"] for m in meant]}
        done.listed.append(entry | {"several": several, "of_the_other": of_the_other, "wholly": bool(whole)})


def planted(game: str, seed: int, numbers: Sequence[int]) -> Told:
    """Slips in games with a planted fault: it must stay what it is."""
    done = Told()
    inventor = systems.game(game).inventor()
    for number in numbers:
        rng = Random(f"{seed} {number} planted")
        name = inventor.plantable[(seed * 7919 + number) % len(inventor.plantable)]
        made = inventor.planted(name, seed * 1_000 + number)
        if made is None:
            continue
        due = list(inventor.findings_of(made.fault))
        for lines, seqs, words in ((made.lines, frozenset[int](), ""), *_with_a_slip(made.lines, due, rng)):
            plain = _standing(_audit(lines, meant=False))
            told = _standing(_audit(lines))
            done.planted += 1
            entry = {"seed": seed, "number": number, "fault": name, "slip": words}
            for one in due:
                key = (one["rule"], one["seq"])
                if key not in plain or plain[key]["depends_on"] or key[1] in seqs:
                    continue
                if told[key]["depends_on"]:
                    done.lost += bool(words)
                    done.charged += not words
                    done.listed.append(entry | {"lost": key, "meant": [m["text"] for m in _meant(told)]})
                elif (told[key]["kind"], told[key]["player"]) != (plain[key]["kind"], plain[key]["player"]):
                    done.charged += 1
                    done.listed.append(entry | {"charged": key, "meant": [m["text"] for m in _meant(told)]})
    return done


def _standing(audit: Json) -> dict[tuple[str, int], Json]:
    """What stands, by its rule and its event."""
    told = as_the_referee_tells(audit)["findings"]
    return {(one["rule"], one["seq"]): one for one in told if one["stands"]}


def _meant(found: dict[Any, Json]) -> list[Json]:
    return [one["meant"] for one in found.values() if one.get("meant")]


def _with_a_slip(
    lines: Sequence[Json], due: Sequence[Any], rng: Random
) -> Iterator[tuple[list[Json], frozenset[int], str]]:
    """The same game with a slip away from its fault, of a kind that leaves the numbers of the lines as they are."""
    for _ in range(40):
        slip = slipped(lines, rng, due[0]["seq"] if due else None)
        if slip is not None and len(slip.lines) == len(lines):
            yield slip.lines, slip.seqs, slip.words
            return


def report(game: str, seed: int, told: Told) -> Json:
    """What was counted, as a value."""
    counts = {one.name: getattr(told, one.name) for one in fields(told) if one.name != "listed"}
    version = engine.GAMES[game].version
    return {"game": game, "ruleset_version": version, "seed": seed, **counts, "listed": told.listed}
