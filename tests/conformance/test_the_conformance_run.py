"""The conformance run in small: legal games are clean, every fault that can be planted is found, and the counts hold."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from auditor import cli, engine
from auditor.conformance.calth.check import check
from auditor.conformance.calth.games import PACKS
from auditor.conformance.calth.generate import generate
from auditor.conformance.calth.mutate import CannotMutate, mutate
from auditor.conformance.calth.near import NEAR, NUMBERS
from auditor.conformance.calth.packs import Packs
from auditor.conformance.calth.plant import PLANTABLE
from auditor.conformance.calth.plant.booked import planted
from auditor.conformance.calth.plant.readings import PLANTABLE_READINGS
from auditor.conformance.calth.variety import legal_game
from auditor.conformance.logs import as_jsonl, read_jsonl
from auditor.report import conformance as page
from auditor.trials import run as the_run
from auditor.trials.planted_faults import round_of
from auditor.trials.run import Kept, do, tasks
from auditor.trials.table import is_passed, report
from auditor.trials.tally import Task
from tests.shares import WHOLE, is_tried

GAMES, SEED = 12 if WHOLE else 4, 3000
CHUNKS = [Task("calth", "", SEED, GAMES // 2), Task("calth", "", SEED + GAMES // 2, GAMES // 2)]
TRIED = [name for name in PLANTABLE if is_tried(48, "planted", name)]

pytestmark = pytest.mark.timeout(900)  # a fault of every kind is planted before the first test of the module


@pytest.fixture(scope="module")
def tally():
    faults = [Task("calth", name, 0, 1) for name in TRIED]
    return the_run.run([*CHUNKS, *faults], jobs=2)


def test_nobody_is_accused_falsely_in_legal_games(tally):
    assert tally.false_listed == []
    assert (tally.games, tally.false) == (GAMES, 0)
    assert tally.with_claims_left_out == GAMES // 2


def test_a_record_that_breaks_off_is_no_false_accusation():
    tally = do(Task("hcg", "", 500_010, 1))
    assert (tally.games, tally.broken_off, tally.left_open, tally.false) == (1, 1, 0, 0)


def test_one_fault_of_every_kind_is_planted_and_found_with_nothing_beside_it(tally):
    assert tally.missed_listed == []
    counted = {name: (tally.faults[name, "planted"], tally.faults[name, "found"]) for name in TRIED}
    assert counted == dict.fromkeys(TRIED, (1, 1))
    assert is_passed(tally)


def test_the_counts_hang_neither_on_the_processes_nor_on_a_stop_between(tally, tmp_path, monkeypatch):
    kept = Kept(tmp_path / "kept.json", {"seed": SEED})
    the_run.run(CHUNKS[:1], 1, kept.tally)
    kept.done = 1
    kept.save()
    again = Kept(tmp_path / "kept.json", {"seed": SEED})
    the_run.run(CHUNKS[again.done :], 1, again.tally)
    for part in ("games", "events", "false", "rules", "near", "asked"):
        assert getattr(again.tally, part) == getattr(tally, part)
    with pytest.raises(ValueError, match="of another run"):
        Kept(tmp_path / "kept.json", {"seed": SEED + 1})
    monkeypatch.setattr(the_run, "code", lambda: "of another version")
    with pytest.raises(ValueError, match="another version of the program"):
        Kept(tmp_path / "kept.json", {"seed": SEED})


def test_what_is_planted_for_a_rule_is_shared_by_its_kinds_of_faults():
    asked: Counter[str] = Counter()
    for task in tasks("calth", SEED, 0, 200):
        asked[task.fault.split()[0]] += task.size
    rules = {name.split()[0] for name in PLANTABLE}
    assert all(200 <= asked[rule] < 200 + len(PLANTABLE) for rule in rules)
    assert {asked[name] for name in PLANTABLE_READINGS} == {50}
    assert tasks("calth", SEED, 12, 0) == [Task("calth", "", SEED, 10), Task("calth", "", SEED + 10, 2)]


def test_half_of_the_faults_stand_beside_another_and_they_come_in_all_rounds():
    games = [planted("CAL-ACT-02", number) for number in range(6)]
    assert [game.beside is not None for game in games] == [False, True] * 3
    assert [round_of(game.lines, game.fault["seq"]) for game in games] == [1, 1, 2, 2, 3, 3]


def test_what_is_near_a_fault_is_counted_for_rules_that_there_are():
    known = {rule["id"] for rule in engine.rules("calth")}
    assert {rule for rule, _ in NEAR.values()} | set(NUMBERS) <= known
    seen = legal_game(SEED)[1]
    assert set(seen) <= set(NEAR)
    assert {"last TP", "full hex", "equal to Stamina", "turn"} <= set(seen)


# -- a run that must not pass ---------------------------------------------------------------------------------------


def audits_that(monkeypatch, spoil):
    honest = engine.audit_counts

    def audit_counts(data, **how):
        audit, asked = honest(data, **how)
        spoil(audit)
        return audit, asked

    monkeypatch.setattr(engine, "audit_counts", audit_counts)


SAID = {"rule": "CAL-ACT-02", "seq": 3, "kind": "illegal", "player": "UM", "text": "no"}
FALSE = {**SAID, "stands": True, "undone": False, "seen_at": 3, "also": [], "scope": {"kind": "every_reading"}}


def test_a_false_accusation_is_counted_and_listed(monkeypatch):
    audits_that(monkeypatch, lambda audit: audit["findings"].append(FALSE))
    tally = do(Task("calth", "", SEED, 1))
    assert tally.false == 1
    assert tally.false_listed[0] == {"seed": SEED, **SAID}
    assert not is_passed(tally)


def test_a_game_in_which_the_program_fails_is_told_and_the_others_are_played(monkeypatch):
    played = the_run.try_legal

    def fails(inventor, number, tally):
        if number == SEED + 1:
            raise KeyError("order")
        played(inventor, number, tally)

    monkeypatch.setattr(the_run, "try_legal", fails)
    found = do(Task("calth", "", SEED, 3))
    assert (found.games, found.false, len(found.raised)) == (2, 0, 1) and not is_passed(found)
    (line,) = page.troubles(report("calth", found, seed=SEED, faults=0))
    assert line.startswith(f"not played or not audited to the end: legal game number {SEED + 1}: KeyError: 'order' (")


def test_an_audit_that_did_not_look_at_everything_is_not_clean(monkeypatch):
    audits_that(monkeypatch, lambda audit: audit.update(verdict="incomplete"))
    assert do(Task("calth", "", SEED, 1)).false == 1


@pytest.mark.parametrize(
    ("spoil", "how"),
    [
        (lambda audit: audit["findings"].clear(), "missed"),
        (lambda audit: [one.update(rule="CAL-ACT-03") for one in audit["findings"]], "elsewhere"),
        (lambda audit: [one.update(player=None) for one in audit["findings"]], "elsewhere"),
        (lambda audit: [one.update(seq=one["seq"] + 1) for one in audit["findings"]], "missed"),
    ],
    ids=["nothing", "another rule", "another player", "another event"],
)
def test_a_fault_that_is_not_found_as_it_was_planted_is_counted(monkeypatch, spoil, how):
    audits_that(monkeypatch, spoil)
    tally = do(Task("calth", "CAL-ACT-02", 0, 1))
    assert tally.faults["CAL-ACT-02", "planted"] == tally.faults["CAL-ACT-02", how] == 1
    assert not tally.faults["CAL-ACT-02", "found"]
    assert not is_passed(tally)


def test_an_act_that_breaks_two_rules_is_found_only_where_both_are(monkeypatch):
    def without_the_door(audit):
        for one in audit["findings"]:
            one["also"] = [rule for rule in one["also"] if rule != "CAL-HEX-05"]

    assert do(Task("calth", "CAL-HEX-05", 0, 1)).faults["CAL-HEX-05", "found"] == 1
    audits_that(monkeypatch, without_the_door)
    tally = do(Task("calth", "CAL-HEX-05", 0, 1))
    assert tally.faults["CAL-HEX-05", "elsewhere"] == 1
    assert not is_passed(tally)


def test_a_record_that_contradicts_itself_must_be_noted(monkeypatch):
    assert do(Task("calth", "CAL-AUD-06", 0, 1)).faults["CAL-AUD-06", "found"] == 1
    audits_that(monkeypatch, lambda audit: audit["notes"].clear())
    assert do(Task("calth", "CAL-AUD-06", 0, 1)).faults["CAL-AUD-06", "missed"] == 1


def test_a_finding_beside_the_planted_one_is_counted(monkeypatch):
    audits_that(monkeypatch, lambda audit: audit["findings"].append({**FALSE, "rule": "CAL-HEX-01"}))
    tally = do(Task("calth", "CAL-ACT-02", 0, 1))
    assert tally.faults["CAL-ACT-02", "found"] == tally.faults["CAL-ACT-02", "with others"] == 1
    assert not is_passed(tally)


# -- the commands ---------------------------------------------------------------------------------------------------


def run(*arguments):
    return CliRunner().invoke(cli.app, list(arguments))


def test_the_command_writes_a_page_and_keeps_what_is_written_by_hand(tmp_path):
    target = tmp_path / "conformance.md"
    target.write_text(f"old\n{page.BEGIN}\nHow it works.\n{page.END}\nold\n", encoding="utf-8")
    call = ["conformance", "--game", "calth", "--games", "2", "--faults", "0", "--date", "2030-01-02"]
    done = run(*call, "--format", "md", "--output", str(target))
    assert done.exit_code == 0
    text = target.read_text(encoding="utf-8")
    assert "Run on 2030-01-02" in text
    assert "auditor conformance --game calth --games 2 --faults 0 --seed 1" in text
    assert f"{page.BEGIN}\nHow it works.\n{page.END}" in text
    assert "old" not in text
    assert "[conformance-tables.md](conformance-tables.md)" in text
    assert "| CAL-CON-03 |" not in text
    assert "| CAL-CON-03 |" in (tmp_path / "conformance-tables.md").read_text(encoding="utf-8")


def test_the_command_fails_where_somebody_is_accused_falsely(monkeypatch):
    audits_that(monkeypatch, lambda audit: audit["findings"].append(FALSE))
    done = run("conformance", "--game", "calth", "--games", "1", "--faults", "0", "--format", "json")
    assert done.exit_code == 1
    value = json.loads(done.stdout)
    assert (value["passed"], value["false_accusations"]) == (False, 1)


def test_a_faulty_game_is_written_with_what_must_be_found(tmp_path):
    target = tmp_path / "game.jsonl"
    assert (
        run("generate", "--game", "calth", "--fault", "CAL-ADV-01", "--seed", "2", "--output", str(target)).exit_code
        == 0
    )
    (expected,) = json.loads((tmp_path / "game.expected.json").read_text(encoding="utf-8"))["findings"]
    found = [(one.rule, one.seq) for one in check(read_jsonl(target.read_text(encoding="utf-8")))]
    assert found == [(expected["rule"], expected["seq"])] == [("CAL-ADV-01", expected["seq"])]
    assert run("generate", "--game", "calth", "--fault", "CAL-XXX-01", "--output", str(target)).exit_code == 2


# -- faults in finished logs ----------------------------------------------------------------------------------------

IN_FINISHED_LOGS = (
    "CAL-ACT-02",
    "CAL-ATK-01",
    "CAL-ATK-03",
    "CAL-ATK-05",
    "CAL-OBS-02",
    "CAL-LOS-05",
    "CAL-INI-01 dice",
    "CAL-ATK-01 models invented",
    "CAL-MEL-01",
)


@pytest.mark.parametrize("name", IN_FINISHED_LOGS)
def test_one_event_of_a_finished_log_is_changed_and_one_fault_is_found(name):
    lines = generate(1)
    changed, expected = mutate(lines, name, seed=5)
    differing = [(old["seq"], new["seq"]) for old, new in zip(lines[1:], changed[1:], strict=True) if old != new]
    assert differing == [(expected["seq"], expected["seq"])]
    standing = [one for one in engine.audit_log(as_jsonl(changed).encode())["findings"] if one["stands"]]
    keys = ("rule", "kind", "seq", "player")
    assert [[one[key] for key in keys] for one in standing] == [[expected[key] for key in keys]]


@pytest.mark.parametrize("name", ["CAL-ADV-01", "CAL-RET-01 omitted", "CAL-ASL-04", "CAL-RND-01", "CAL-RDY-03"])
def test_a_fault_that_is_a_whole_act_ends_the_log_that_it_is_played_onto(name):
    lines = generate(2)
    changed, expected = mutate(lines, name, seed=5)
    alike = next(n for n, (old, new) in enumerate(zip(lines, changed, strict=False)) if old != new)
    assert 1 < alike <= expected["seq"] == changed[-1]["seq"] == len(changed) - 1
    standing = [one for one in engine.audit_log(as_jsonl(changed).encode())["findings"] if one["stands"]]
    keys = ("rule", "kind", "seq", "player")
    assert [[one[key] for key in keys] for one in standing] == [[expected[key] for key in keys]]


def test_a_recorded_game_can_be_changed_by_command_and_the_same_seed_changes_it_alike(tmp_path):
    log = str(PACKS.parents[4] / "fixtures" / "calth" / "games" / "clean-1.jsonl")
    made = []
    for name in ("a", "b"):
        target = tmp_path / f"{name}.jsonl"
        assert run("mutate", log, "--rule", "CAL-ATK-03", "--seed", "7", "--output", str(target)).exit_code == 0
        made.append(target.read_bytes())
    assert made[0] == made[1]
    (expected,) = json.loads((tmp_path / "a.expected.json").read_text(encoding="utf-8"))["findings"]
    found = check(read_jsonl(made[0].decode()), packs=Packs.read(PACKS))
    assert [(one.rule, one.seq) for one in found] == [("CAL-ATK-03", expected["seq"])]


def test_a_reading_can_be_put_into_the_header_of_the_changed_log():
    changed, _ = mutate(generate(1), "CAL-ATK-03", 5, {"R-DEF-STACK": "highest"})
    assert changed[0]["rulings"]["readings"] == {"R-DEF-STACK": "highest"}


@pytest.mark.parametrize(
    ("fault", "readings", "why"),
    [
        ("CAL-XXX-01", None, "no planter"),
        ("CAL-CMP-01", None, "no occasion"),
        ("CAL-ATK-03", {"R-NONE": "a"}, "no reading"),
        ("CAL-ATK-03", {"R-DEF-STACK": "a"}, "no option"),
    ],
)
def test_what_cannot_be_changed_is_said(fault, readings, why):
    with pytest.raises(CannotMutate, match=why):
        mutate(generate(1), fault, 1, readings)


def test_a_log_that_is_not_legal_is_not_changed():
    changed, _ = mutate(generate(1), "CAL-ATK-03", 5)
    with pytest.raises(CannotMutate, match="not legal"):
        mutate(changed, "CAL-ACT-02", 5)
