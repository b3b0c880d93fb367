"""Legal games, which must be found clean."""

from __future__ import annotations

import time

from auditor import engine, systems
from auditor.conformance.inventor import Inventor
from auditor.conformance.logs import as_jsonl
from auditor.trials.audited import held_against, named, record_notes
from auditor.trials.compared import compare
from auditor.trials.relations import try_relation
from auditor.trials.spelled import try_as_people_write
from auditor.trials.tally import MOST_LISTED, Json, Tally


def try_legal(inventor: Inventor, seed: int, tally: Tally) -> None:
    """Audit one legal game, and the same written otherwise, and count what came of it."""
    begun = time.process_time()
    lines, seen = inventor.legal_game(seed)
    data = as_jsonl(lines).encode()
    played = time.process_time()
    audit, asked = engine.audit_counts(data)
    done = time.process_time()
    tally.milliseconds["legal games"] += round(1000 * (played - begun))
    tally.milliseconds["their audits"] += round(1000 * (done - played))
    compare(inventor, lines, audit, {"seed": seed}, tally)
    try_relation(inventor, lines, audit, seed, tally)
    try_as_people_write(str(lines[0]["game"]), lines, seed, tally)
    tally.milliseconds["written otherwise"] += round(1000 * (time.process_time() - done))
    settings = inventor.settings_of(seed)
    tally.games += 1
    tally.with_claims_left_out += bool(settings["omit_claims"])
    tally.under_other_readings += bool(settings.get("readings"))
    tally.events += audit["coverage"]["events"]
    tally.near.update(seen)
    tally.asked.update(asked)
    tally.rules.update({line["rule"]: line["times"] for line in audit["coverage"]["rules_run"]})
    for event in lines[1:]:
        tally.near.update(f"number {rule}" for rule in inventor.numbers(event))
    accused = [{"seed": seed, **named(one)} for one in (*held_against(audit), *record_notes(audit))]
    unchecked = {one["seq"] for one in audit["coverage"]["unchecked"]}
    breaks_off = lines[-1]["type"] not in {"end", *systems.game(str(lines[0]["game"])).ruleset.ends}
    unread = unchecked <= set(inventor.unreadable(lines))
    if not accused and audit["verdict"] == "incomplete" and unread and (unchecked or breaks_off):
        tally.left_open += bool(unchecked)
        tally.broken_off += breaks_off
    elif not accused and audit["verdict"] != "clean":
        accused = [{"seed": seed, "seq": None, "rule": None, "kind": audit["verdict"], "text": _why_not_clean(audit)}]
    tally.false += len(accused)
    tally.false_listed += accused[:MOST_LISTED]


def _why_not_clean(audit: Json) -> str:
    said = [one["why"] for one in audit["coverage"]["unchecked"]] or [str(one) for one in audit["errors"]]
    return said[0] if said else ""
