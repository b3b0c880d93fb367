"""Replay pages: drawn once a block, kept within bounds, and the same whether kept or drawn anew."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor.jobs import drawings, work
from auditor.service import Incoming, NotFound, Service
from auditor.service.replays import BLOCK, EVENTS_A_BLOCK_AHEAD
from auditor.settings import Settings
from auditor.store.kept import Kept
from auditor.web import create_app
from tests.web.conftest import ENGINE, Browser, Near, log_of, settled


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many blocks each replay of a log drew."""
    calls: list[int] = []
    whole = work.draw_blocks

    def counted(*args: Any) -> list[bytes]:
        calls.append(len(args[-1]))
        return whole(*args)

    monkeypatch.setattr(work, "draw_blocks", counted)
    return calls


def audited(service: Service, events: int) -> str:
    data = log_of(*({"round": 1 + n // 50} for n in range(events)))
    delivery = service.deliveries.receive([Incoming("game.jsonl", io.BytesIO(data))], service.rulings.own())
    audit = service.deliveries.page(delivery).files[0].audit
    assert audit is not None
    return settled(service, audit.key).key


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_going_through_a_game_replays_its_log_once_a_block_and_not_once_an_event(browser, service, drawn):
    key = audited(service, 3 * BLOCK)
    for step in (1, 7):
        for seq in range(1, 3 * BLOCK + 1, step):
            assert f"Event {seq}" in browser.page(f"/audits/{key}/events/{seq}")
    assert drawn == [1, 1, 1]
    assert browser.get(f"/api/v1/audits/{key}/events/{BLOCK + 1}").json["seq"] == BLOCK + 1
    assert browser.get(f"/audits/{key}/events/{3 * BLOCK + 1}").status_code == 404
    assert len(drawn) == 3


def test_of_a_long_log_several_blocks_are_drawn_at_once(service, drawn):
    key = audited(service, 2 * EVENTS_A_BLOCK_AHEAD)
    for seq in range(1, 3 * BLOCK + 1, BLOCK):
        assert service.replays.frame(key, seq)["seq"] == seq
    assert drawn == [3]


def test_what_is_kept_stays_within_its_bound_and_pages_are_drawn_again(settings: Settings, drawn):
    service = Service(replace(settings, max_kept_bytes=3000), ENGINE, Near.make)
    service.start()
    try:
        key = audited(service, 6 * BLOCK)
        first = {seq: service.replays.frame(key, seq) for seq in range(1, 6 * BLOCK, BLOCK)}
        assert size_of(settings.kept) <= 3000
        assert {seq: service.replays.frame(key, seq) for seq in first} == first
        assert len(drawn) > 6  # some had to go meanwhile
        assert size_of(settings.kept) <= 3000
    finally:
        service.close()


def test_the_starts_of_the_rounds_are_kept_too(service, settings, monkeypatch):
    key = audited(service, 120)
    browser = Browser(create_app(settings, service).test_client())
    assert [frame["seq"] for frame in service.replays.rounds(key)] == [1, 51, 101]
    monkeypatch.setattr(work, "draw_rounds", None)
    assert [frame["seq"] for frame in service.replays.rounds(key)] == [1, 51, 101]
    assert browser.get(f"/audits/{key}.html").status_code == 200


def test_what_another_start_drew_is_not_shown(settings: Settings):
    Service(settings, ENGINE, Near.make).close()
    settings.kept.mkdir(exist_ok=True)
    (settings.kept / ("5" * 64)).write_text("of another version")
    (settings.kept / "a-note").write_text("of somebody else")
    Service(settings, ENGINE, Near.make).close()
    assert [file.name for file in settings.kept.iterdir()] == ["a-note"]


def test_an_event_that_is_not_there_is_not_found(service):
    key = audited(service, 3)
    with pytest.raises(NotFound):
        service.replays.frame(key, 4)


def test_a_frame_comes_out_of_its_block_as_it_went_in():
    frames = [{"seq": seq, "board": {"hexes": [[n, n] for n in range(20_000)]}} for seq in (4, 5, 5, 7)]
    frames[1]["text"] = "the first of two with one number \ud800 \n"
    block = drawings.pack(frames)
    assert list(drawings.unpack(block)) == frames
    assert drawings.frame_of(block, 4) == frames[0]
    assert drawings.frame_of(block, 5) == frames[2]
    assert drawings.frame_of(block, 7) == frames[3]
    assert drawings.frame_of(block, 6) is None
    assert list(drawings.unpack(drawings.pack([]))) == []


def test_what_was_not_used_longest_goes_first_and_what_is_too_large_is_not_kept(tmp_path: Path):
    kept = Kept(tmp_path / "kept", 100)
    for name in "abc":
        kept.put(name, name.encode() * 30)
    assert kept.get("a") == b"a" * 30
    kept.put("d", b"d" * 30)
    assert [name for name in "abcd" if kept.get(name)] == ["a", "c", "d"]
    kept.put("e", b"e" * 101)
    assert kept.get("e") is None
    kept.put("a", b"A")
    assert kept.get("a") == b"A"
    assert size_of(tmp_path) == 61


def test_a_kept_file_that_somebody_removed_is_made_again(tmp_path: Path):
    kept = Kept(tmp_path / "kept", 100)
    kept.put("a", b"a")
    for path in (tmp_path / "kept").iterdir():
        path.unlink()
    assert kept.get("a") is None
    kept.put("a", b"b")
    assert kept.get("a") == b"b"
