"""What keeps the promise of `bench_heavy`, looked at in small."""

from __future__ import annotations

import json

import pytest

from auditor.core import bounds
from auditor.core.look import Looks
from auditor.engine import audit_json, audit_log, conventions
from auditor.ingest import Reading, read
from tests.bench import bench_heavy, heavy_cards, heavy_inches
from tests.bench.test_heavy_drawn import counting
from tests.cli.test_read_as import INCHES, in_centimetres


@pytest.mark.parametrize(("longest", "ways"), [(50, 0), (1000, 1)])
def test_a_record_longer_than_any_game_is_not_read_in_other_ways(monkeypatch, longest, ways):
    asked: list[object] = []
    record = Reading.record

    def noted(reading, read_as=None):
        if read_as is not None:
            asked.append(read_as)
        return record(reading, read_as)

    monkeypatch.setattr(Reading, "record", noted)
    monkeypatch.setattr(conventions, "LONGEST", longest)
    audit_log(heavy_cards.SHAPES["results of one battle"][0](100), causes=False, digest=False)
    assert min(len(asked), 1) == ways


@pytest.mark.parametrize(("work", "found"), [(3_000_000, "cm"), (1_000, None)])
def test_reading_in_other_ways_has_a_bound_of_its_own(monkeypatch, work, found):
    monkeypatch.setattr(bounds, "MOST_WORK_OTHERWISE", work)
    lines = in_centimetres([json.loads(line) for line in INCHES.read_text(encoding="utf-8").splitlines()])
    audit = audit_log("".join(json.dumps(line) + "\n" for line in lines).encode(), causes=False, digest=False)
    assert audit.get("perhaps", {}).get("read_as") == found
    assert audit["coverage"]["resolved"] == audit["coverage"]["events"]


def test_explaining_is_paid_for_and_ends_when_its_purse_is_spent(monkeypatch):
    def told(work: int) -> bool:
        monkeypatch.setattr(bounds, "MOST_WORK_ON_MEANING", work)
        notes = audit_log(heavy_cards.SHAPES["effects that last"][0](60), digest=False)["notes"]
        return any("than explanations were sought for" in one["text"] for one in notes)

    monkeypatch.setattr(bounds, "MOST_EXPLAINED", 1_000)
    assert (told(10_000), told(100_000_000)) == (True, False)


def test_what_a_check_reads_is_looked_up_once_for_all_that_it_saw(monkeypatch):
    reads, doubts = [], []
    read, doubt = Looks._reads, Looks._doubt
    monkeypatch.setattr(heavy_cards, "LISTED", 60)
    monkeypatch.setattr(Looks, "_reads", lambda *given: reads.append(1) or read(*given))
    monkeypatch.setattr(Looks, "_doubt", lambda *given: doubts.append(1) or doubt(*given))
    audit_log(heavy_cards.SHAPES["events that list many cards"][0](8), causes=False, digest=False)
    assert 0 < 10 * len(reads) < len(doubts)


@pytest.mark.parametrize("shape", ["moves of which no number can be read", "lines of dice in texts"])
def test_a_line_that_does_not_fit_costs_a_few_calls_a_byte(monkeypatch, shape):
    monkeypatch.setattr(heavy_inches, "OF_A_UNIT", 40)
    monkeypatch.setattr(bounds, "MOST_ERRORS", 20)
    few, more = (heavy_inches.SHAPES[shape][0](count) for count in (4, 44))
    read(few)  # what is made once
    calls = []
    for data in (few, more):
        with counting() as counted:
            read(data)
        calls.append(counted[0])
    assert calls[1] - calls[0] < 4 * (len(more) - len(few))


@pytest.mark.parametrize(
    ("game", "make", "count"),
    [
        ("clx", heavy_inches.faults, 2),
        ("clx", heavy_inches.SHAPES["lines of dice"][0], 600),
        ("hcg", heavy_cards.SHAPES["modifiers of one roll"][0], 300),
    ],
    ids=["hundreds of models", "an attack of very many steps", "findings in one long battle action"],
)
def test_a_page_of_a_report_has_at_most_2_mb(tmp_path, game, make, count):
    log = tmp_path / "heavy.jsonl"
    log.write_bytes(make(count))
    audit, text = audit_json(log.read_bytes())
    assert len(audit["findings"]) > 100
    (tmp_path / "heavy.jsonl.audit").write_bytes(text)
    assert 1_000_000 < bench_heavy.largest_page(game, str(log)) <= 2_000_000
