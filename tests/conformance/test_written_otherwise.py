"""A game of cards or in inches written otherwise is the same game; those of Calth are in test_relations."""

from __future__ import annotations

import json
from random import Random

import pytest

from auditor import engine
from auditor.conformance.clx.inventor import INVENTOR as CLX
from auditor.conformance.hcg.inventor import INVENTOR as HCG
from auditor.conformance.inventor import Inventor
from auditor.conformance.logs import as_jsonl
from auditor.trials.relations import broken

LEGAL = [(inventor, seed, name) for inventor, seed in ((CLX, 5001), (HCG, 5)) for name in inventor.relations]


@pytest.mark.parametrize(
    ("inventor", "seed", "name"), LEGAL, ids=lambda value: str(value) if type(value) is str else ""
)
def test_what_is_written_otherwise_can_be_read_and_names_its_events(inventor: Inventor, seed: int, name: str) -> None:
    lines = inventor.legal_lines(seed)
    related = inventor.relations[name](lines, Random(1))
    text = related.data.decode()
    made = json.loads(text) if name == "as one object" else None
    events = made["events"] if made else [json.loads(line) for line in text.splitlines()[1:]]
    types = {event["seq"]: event["type"] for event in events}
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert related.seqs and all(
        types[related.seqs[e["seq"]]] == e["type"] for e in lines[1:] if e["seq"] in related.seqs
    )


@pytest.mark.parametrize(
    ("inventor", "fault", "number"), [(CLX, "CLX-FACE-01", 777), (HCG, "HCG-SHOOT-07 damage", 905)], ids=("clx", "hcg")
)
def test_what_is_written_otherwise_is_judged_the_same(inventor: Inventor, fault: str, number: int) -> None:
    game = inventor.planted(fault, number)
    assert game is not None
    findings = engine.audit_log(as_jsonl(game.lines).encode(), digest=False, causes=False)["findings"]
    assert any(one["stands"] for one in findings)
    for name in inventor.relations:
        assert broken(inventor, game.lines, findings, name, 1) == [], name


def test_a_remark_before_a_line_that_shows_a_card_changes_nothing() -> None:
    """Header without `instances`: at event 124 p1 plays p1-35, whose card that event is the first to tell."""
    game = HCG.planted("HCG-SHOOT-01 locked", 901)
    assert game is not None and game.lines[124]["ids"] == {"p1-35": "ex-u41"}
    findings = engine.audit_log(as_jsonl(game.lines).encode(), digest=False, causes=False)["findings"]
    assert broken(HCG, game.lines, findings, "with remarks", 901) == []


@pytest.mark.parametrize("number", [903, 904, 907, 909, 914, 916])
def test_a_model_that_took_all_its_wounds_is_gone_whichever_of_them_felled_it(number: int) -> None:
    """One model takes two wounds; the first may have felled it outright, the record with claims left out says neither."""
    game = CLX.planted("CLX-MOR-02 omitted", number)
    assert game is not None
    struck = [[row["model"] for row in line["list"]] for line in game.lines if line["type"] == "allocate"]
    assert any(len(models) == 2 and models[0] == models[1] for models in struck)
    findings = engine.audit_log(as_jsonl(game.lines).encode(), digest=False, causes=False)["findings"]
    assert broken(CLX, game.lines, findings, "claims left out", number) == []


def test_what_is_played_again_is_named_by_its_new_number() -> None:
    """Of a modifier that stays, and whose new roll is taken back and made again, the new one is named."""
    header = {"type": "header"}
    events = [{"seq": 1, "type": "modifier", "reroll": 3}, *({"seq": n, "type": "roll"} for n in range(2, 40))]
    for seed in range(20):
        related = HCG.relations["taken back and played again"]([header, *events], Random(seed))
        _, first, *others = [json.loads(line) for line in related.data.decode().splitlines()]
        undo = next(one for one in others if one["type"] == "undo")
        assert first["reroll"] == related.seqs[3]
        assert (first["reroll"] > undo["seq"]) == (undo["to"] < 3 < undo["seq"])
