"""What came of a conformance run, as a value: the table rule by rule and reading by reading."""

from __future__ import annotations

from collections import Counter

from auditor import engine, systems
from auditor.conformance.inventor import Inventor
from auditor.trials.spelled import ROUNDED, SPELLED
from auditor.trials.tally import MOST_LISTED, Json, Tally


def report(game: str, tally: Tally, *, seed: int, faults: int) -> Json:
    """What was counted, as a value that is the same whenever the same was asked for.

    {"game", "second_referee": whether there is one, "title", "engine", "ruleset_version", "seed", "games", "faults_each", "with_claims_left_out", "events", "left_open", "broken_off",
     "false_accusations", "false": [...], "rules": [{"rule", "title", "auditable", "times", "near", "planted", "found",
     "elsewhere", "missed", "no_occasion", "beside_another", "with_others", "rounds": {round: n}}], "readings":
     [{"id", "asked", "options": [{"option", "planted", "found", "missed", "clean_under_the_other",
     "ambiguous_when_open", "right_scope", "no_occasion", "never": reason or None}]}], "near": [{"rule", "situation", "times"}],
     "compared": {"rules", "games", "events", "events_judged", "accusations", "differences"} | None, "differences": [...],
     "not_found": [...], "relations": [{"relation", "held", "broken"}], "broken": [...],
     "raised": [{"fault", "number", "text"}], "passed"}
    """
    inventor = systems.game(game).inventor()
    planted_ones: dict[str, Counter[str]] = {}
    for (name, what), times in tally.faults.items():
        if name:
            planted_ones.setdefault(name.split()[0], Counter())[what] += times
    close: Counter[str] = Counter()
    for key, (rule, _) in inventor.near.items():
        close[rule] += tally.near[key]
    for rule in inventor.number_rules:
        close[rule] = max(close[rule], tally.near[f"number {rule}"])
    lines = []
    for known in engine.rules(game):
        counted = planted_ones.get(known["id"], Counter())
        lines.append(
            {
                "rule": known["id"],
                "title": known["title"],
                "auditable": known["auditable"],
                "times": tally.rules[known["id"]],
                "near": min(close[known["id"]], tally.rules[known["id"]]),
                "planted": counted["planted"],
                "found": counted["found"],
                "elsewhere": counted["elsewhere"],
                "missed": counted["missed"],
                "no_occasion": counted["no occasion"],
                "beside_another": counted["beside another"],
                "with_others": counted["with others"],
                "rounds": {what[6:]: n for what, n in sorted(counted.items()) if what.startswith("round ")},
            }
        )
    second = {what[7:]: n for (name, what), n in sorted(tally.faults.items()) if not name}
    return {
        "game": game,
        "second_referee": inventor.check is not None,
        "title": engine.GAMES[game].title,
        "engine": engine.ENGINE,
        "ruleset_version": engine.GAMES[game].version,
        "seed": seed,
        "games": tally.games,
        "faults_each": faults,
        "with_claims_left_out": tally.with_claims_left_out,
        "under_other_readings": tally.under_other_readings,
        "events": tally.events,
        "left_open": tally.left_open,
        "broken_off": tally.broken_off,
        "false_accusations": tally.false,
        "false": tally.false_listed[:MOST_LISTED],
        "rules": lines,
        "second_faults": second,
        "readings": [
            {
                "id": one["id"],
                "asked": tally.asked[one["id"]],
                "options": [
                    _of_an_option(inventor, one["id"], option, tally)
                    for option in inventor.readings.get(one["id"], [known["id"] for known in one["options"]])
                ],
            }
            for one in engine.readings(game)
        ],
        "near": [
            {"rule": rule, "situation": words, "times": tally.near[key]} for key, (rule, words) in inventor.near.items()
        ],
        "compared": _compared(inventor, tally),
        "differences": tally.differences_listed[:MOST_LISTED],
        "not_found": tally.missed_listed[:MOST_LISTED],
        "not_found_in_all": len(tally.missed_listed),
        "relations": [
            {"relation": name, "held": tally.relations[name, "held"], "broken": tally.relations[name, "broken"]}
            for name in (
                *inventor.relations,
                *(one for one in (SPELLED, ROUNDED) if tally.relations[one, "held"] or tally.relations[one, "broken"]),
            )
        ],
        "broken": tally.broken_listed[:MOST_LISTED],
        "raised": tally.raised[:MOST_LISTED],
        "passed": is_passed(tally),
    }


def _of_an_option(inventor: Inventor, reading: str, option: str, tally: Tally) -> Json:
    """What came of the faults that are faults under this option of a reading."""
    name = f"{reading}={option}"
    what = ("planted", "found", "missed", "clean under the other", "ambiguous when open", "right scope", "no occasion")
    counts = {one.replace(" ", "_"): tally.faults[name, one] for one in what}
    return {"option": option, **counts, "never": inventor.never.get(name)}


def _compared(inventor: Inventor, tally: Tally) -> Json | None:
    """What was held against a second referee that judges some rules; None of one that judges all, or of none."""
    if inventor.judged is None:
        return None
    counts = ("games", "events", "events judged", "accusations", "differences")
    return {"rules": list(inventor.judged), **{one.replace(" ", "_"): tally.compared[one] for one in counts}}


def is_passed(tally: Tally) -> bool:
    """No false accusation, every planted fault found where and as it was planted and nothing beside it, every relation
    held, a second referee that says the same, and no game in which this program failed."""
    given_up = any(
        tally.faults[name, "no occasion"] and not tally.faults[name, "planted"] for name, _ in list(tally.faults)
    )
    wrong = tally.false or tally.missed_listed or tally.broken_listed or tally.differences_listed or tally.raised
    return not wrong and not given_up


def throughput(tally: Tally, wall: float) -> str:
    """How fast it went, over so many seconds by the clock. Of the machine, not of the games: no part of the table."""
    spent = {what: milliseconds / 1000 for what, milliseconds in sorted(tally.milliseconds.items())}
    said = f"{wall:.0f} s by the clock"
    if audits := spent.get("their audits"):
        said += (
            f"; legal games audited at {tally.events / audits:,.0f} events/s and {tally.games / audits:,.1f} games/s"
        )
        said += " a process"
    return f"{said}. Processor time: {', '.join(f'{what} {seconds:.0f} s' for what, seconds in spent.items())}."
