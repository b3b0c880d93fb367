"""One slip in a whole record: a value of a legal log is changed, the rest is kept, and the auditor alone is asked.

A wrong value should be told once, where it stands. Who is accused at a later event only follows from it: where the
record goes on as if the value were right, nobody did anything wrong there. What a wrong number that counts (TPs, a
tally) does to later events is adopted and may follow (CAL-AUD-01 and its like), so the list is there to be read; it is
no table of errors. The changes are those of the fuzz, by the same seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor import engine
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import held_against
from auditor.trials.fuzz import MOST_LISTED, Opponent, change_of, game_of
from auditor.trials.tally import Json


@dataclass
class Slips:
    """What some tries gave. Two of them add up.

    here     the changed event alone is held against somebody
    later    a later event is, and the changed one is not
    both     both are
    unsaid   the audit says nothing at all
    apart    accusations of later events that follow from no other; `named`: those that name the changed line, in what may
             have been meant
    """

    tries: int = 0
    here: int = 0
    later: int = 0
    both: int = 0
    unsaid: int = 0
    apart: int = 0
    named: int = 0
    listed: list[Json] = field(default_factory=list)

    def add(self, more: Slips) -> None:
        for name in ("tries", "here", "later", "both", "unsaid", "apart", "named"):
            setattr(self, name, getattr(self, name) + getattr(more, name))
        self.listed += more.listed[: max(0, MOST_LISTED - len(self.listed))]


def slips(opponent: Opponent, seed: int, numbers: Sequence[int]) -> Slips:
    """Some tries of a seed."""
    done = Slips()
    for number in numbers:
        made = change_of(opponent, seed, number)
        if made is None:
            continue
        lines, change = made
        log = [*lines, *game_of(opponent, seed, number)[len(lines) :]]
        audit = engine.audit_log(as_jsonl(log).encode(), digest=False, strict=True)
        held = [one for one in held_against(audit) if one["kind"] != "ambiguous"]
        here = [one for one in held if one["seq"] == change.seq]
        later = [one for one in held if one["seq"] != change.seq]
        done.tries += 1
        done.unsaid += not audit["findings"] and not audit["notes"]
        done.here += bool(here and not later)
        done.later += bool(later and not here)
        done.both += bool(here and later)
        apart = [one for one in later if not one["depends_on"]]
        done.apart += len(apart)
        done.named += sum(_names(one, change.seq) for one in apart)
        if later:
            said = [{key: one[key] for key in ("seq", "rule", "kind", "player", "text", "depends_on")} for one in later]
            place = {"seed": seed, "try": number, "place": change.place, **change._asdict()}
            done.listed.append({**place, "here": len(here), "said_later": said})
    return done


def _names(finding: Json, seq: int) -> bool:
    """Whether a finding says that it may be an event that was meant otherwise."""
    meant = finding["meant"]
    return meant is not None and seq in {one["seq"] for one in (meant, *meant["or"])}


def report(game: str, seed: int, found: Slips) -> Json:
    """What was tried, as a value: the counts, and each slip after which somebody is accused at another event."""
    return {
        "game": game,
        "ruleset_version": engine.GAMES[game].version,
        "seed": seed,
        "tries": found.tries,
        "said_here": found.here,
        "said_later": found.later,
        "said_here_and_later": found.both,
        "unsaid": found.unsaid,
        "said_later_apart": found.apart,
        "said_later_apart_and_named": found.named,
        "later": found.listed,
    }
