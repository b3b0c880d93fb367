"""Bytes become audits, frames and headers; no bytes make that fail."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor import engine
from auditor.core.canonical import digest
from auditor.core.rulings import BadRulings
from auditor.engine.rulings import in_force_of
from auditor.ingest import schema as schema_of
from auditor.systems import game, game_keys
from tests.cli.shell import CLEAN, FINDINGS, GAMES, UNREADABLE, lines_of, log_of
from tests.core.inches import INCHES
from tests.shares import tries

KEYS = [
    "audit",
    "engine",
    "game",
    "ruleset_version",
    "log_sha256",
    "packs",
    "rulings",
    "verdict",
    "errors",
    "findings",
    "notes",
    "coverage",
    "digest",
]
FAULTY = (GAMES / "faulty-1.jsonl").read_bytes()


@pytest.mark.parametrize("data", [CLEAN, FINDINGS, UNREADABLE, b"", FAULTY])
def test_an_audit_has_every_part_and_its_digest(data: bytes) -> None:
    value = engine.audit_log(data, strict=True)
    assert list(value) == KEYS
    assert value["digest"] == digest({key: part for key, part in value.items() if key != "digest"})
    assert "digest" not in engine.audit_log(data, digest=False)
    assert value == engine.audit_log(gzip.compress(data)) or not data


@given(st.binary(max_size=300))
def test_no_bytes_make_an_audit_fail(data: bytes) -> None:
    assert engine.audit_log(data)["verdict"] == "unreadable"
    assert engine.replay_frames(data) == engine.timeline(data) == []
    assert isinstance(engine.log_heading(data), dict)


@settings(max_examples=tries(60))
@given(st.data())
def test_no_spoilt_log_makes_an_audit_fail(data: st.DataObject) -> None:
    """A few bytes of a sound log replaced, cut out or doubled."""
    log = bytearray(FINDINGS)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(log) - 1))
        log[place : place + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=10))
    value = engine.audit_log(bytes(log))
    assert list(value) == KEYS
    assert not [one for one in value["coverage"]["unchecked"] if "a fault of the auditor" in one["why"]]
    assert engine.verify(value, bytes(log)) == []
    entries = engine.timeline(bytes(log), texts=True)
    assert [frame["seq"] for frame in engine.replay_frames(bytes(log), seqs=[e["seq"] for e in entries])] == [
        entry["seq"] for entry in entries
    ]


def with_rulings(rulings: Any) -> bytes:
    header, *events = lines_of("legal")
    return log_of([{**header, "rulings": rulings}, *events])


def test_rulings_given_go_over_the_headers_and_those_over_the_defaults() -> None:
    own = with_rulings({"R-LOS-VERTEX": "open"})
    default = game("calth").ruleset.reading("R-LOS-VERTEX").default

    def in_force(data: bytes, given: Any = None) -> tuple[str, str]:
        value = engine.audit_log(data, rulings=given)["rulings"]
        return value["name"], value["readings"]["R-LOS-VERTEX"]

    assert in_force(CLEAN) == ("defaults", default)
    assert in_force(own) == ("the log's own", "open")
    assert in_force(own, {}) == ("unnamed", default)
    assert in_force(own, {"name": "Cup", "readings": {"R-LOS-VERTEX": default}}) == ("Cup", default)


@pytest.mark.parametrize("bad", [{"R-NO": "x"}, {"readings": {"R-LOS-VERTEX": "no"}}, {"readings": 3}, {"name": 1}])
def test_bad_rulings_of_a_header_are_an_error_of_the_file_and_the_defaults_are_in_force(bad: Any) -> None:
    value = engine.audit_log(with_rulings(bad))
    assert value["rulings"]["name"] == "defaults"
    assert value["verdict"] == "incomplete"
    assert {error["path"] for error in value["errors"]} == {"rulings"}
    assert {error["line"] for error in value["errors"]} == {1}
    assert value["notes"] == []
    with pytest.raises(BadRulings):
        engine.audit_log(CLEAN, rulings=bad)


def test_every_claim_of_a_header_that_is_not_in_force_is_noted() -> None:
    claims = {
        "readings": {"R-LOS-VERTEX": "open", "R-DIE-INIT": "crit_is_hit"},
        "not_audited": {"CAL-ADV-01": "we did not care"},
    }
    notes = engine.audit_log(with_rulings(claims), rulings={"name": "Cup"})["notes"]
    assert [note["kind"] for note in notes] == ["reading"] * 2
    assert [note["text"].split(" as ")[0] for note in notes] == [
        "The header claims R-LOS-VERTEX",
        'The header wants CAL-ADV-01 left out; it is audited, by the rulings "Cup".',
    ]
    assert engine.audit_log(with_rulings(claims))["notes"] == []


def test_a_setting_that_a_header_claims_and_that_is_not_in_force_is_noted() -> None:
    header = {"rulings": {"settings": {"measuring_tolerance": "1/4"}}}
    for force, count in (({"name": "Cup"}, 1), (header["rulings"], 0), (None, 0)):
        notes = in_force_of(header, INCHES, force)[1]
        assert [note.text[:38] for note in notes] == ["The header claims measuring_tolerance "] * count


def test_a_setting_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(BadRulings, match='there is no setting "measuring_tolerance"'):
        engine.check_rulings({"settings": {"measuring_tolerance": "1/4"}}, "calth")


def test_a_log_of_an_unknown_game_is_unreadable_and_names_no_game() -> None:
    value = engine.audit_log(UNREADABLE)
    assert (value["verdict"], value["game"], value["errors"][0]["nearest"]) == ("unreadable", None, "calth")


# -- frames ---------------------------------------------------------------------------------------------------------


def test_frames_are_the_start_of_the_set_up_and_of_each_round_and_the_end_unless_others_are_wanted() -> None:
    entries = engine.timeline(FAULTY)
    frames = engine.replay_frames(FAULTY)
    parts = [entry["moment"]["part"] for entry in entries]
    firsts = {part: entry["seq"] for part, entry in zip(reversed(parts), reversed(entries), strict=True)}
    assert "Set-up" in firsts and "Round 1" in firsts
    assert [frame["seq"] for frame in frames] == sorted({*firsts.values(), entries[-1]["seq"]})
    assert len(firsts) > 1
    assert [frame["seq"] for frame in engine.replay_frames(FAULTY, seqs=[7, 3, 100_000])] == [3, 7]
    assert engine.replay_frames(FAULTY, seqs=[]) == []


def test_every_frame_says_and_draws_its_event() -> None:
    entries = engine.timeline(FAULTY, texts=True)
    frames = engine.replay_frames(FAULTY, seqs=[entry["seq"] for entry in entries])
    lines = FAULTY.splitlines()
    for entry, frame in zip(entries, frames, strict=True):
        assert list(frame) == ["seq", "line", "type", "player", "moment", "text", "board", "marks", "sight"]
        assert {key: frame[key] for key in entry} == entry
        written = json.loads(lines[entry["line"] - 1])
        assert (written["seq"], written["type"]) == (entry["seq"], entry["type"])
        assert frame["text"] and frame["board"]["kind"] == "hex"


def test_frames_follow_the_replay_of_the_audit() -> None:
    """What a frame shows before an event with a finding is what the finding was judged on."""
    value = engine.audit_log(FAULTY)
    standing = [finding for finding in value["findings"] if finding["stands"]]
    drawn = {f["seq"]: f for f in engine.replay_frames(FAULTY, seqs=[finding["seen_at"] for finding in standing])}
    for finding in standing:
        assert drawn[finding["seen_at"]]["board"] == finding["evidence"]["before"], finding["text"]


def test_a_move_is_an_arrow_and_a_shot_a_line() -> None:
    marks = [mark for frame in engine.replay_frames(FAULTY, seqs=range(1, 400)) for mark in frame["marks"]]
    assert {"move", "shot"} <= {mark["mark"] for mark in marks}
    sights = [frame["sight"] for frame in engine.replay_frames(FAULTY, seqs=range(1, 400)) if frame["sight"]]
    assert sights and all(sight["sight"] in ("clear", "obscured", "none") for sight in sights)


def test_a_line_that_cannot_be_read_and_an_unknown_event_have_frames_too() -> None:
    log = CLEAN + b'{"seq": 5, "type": \n{"seq": 6, "type": "banner"}\n'
    frames = engine.replay_frames(log, seqs=[5, 6])
    assert [(frame["type"], frame["marks"], frame["sight"]) for frame in frames] == [
        ("unread", [], None),
        ("banner", [], None),
    ]
    assert "cannot be read" in frames[0]["text"] and '"banner"' in frames[1]["text"]


# -- headers and lists ----------------------------------------------------------------------------------------------


def test_a_header_is_had_from_a_log_that_is_otherwise_unreadable() -> None:
    assert engine.log_header(UNREADABLE)["game"] == "calht"
    assert engine.log_header(gzip.compress(CLEAN))["game"] == "calth"
    for data in (b"", b"[]", b"{", b"\x1f\x8b", b"nonsense"):
        assert engine.log_header(data) == {}


@pytest.mark.parametrize("bad", [None, 3, [], {}, "x", [1, {"id": {}}], {"a": 1}, True, 1e300])
def test_a_heading_takes_only_what_can_be_shown(bad: Any) -> None:
    keys = ("title", "players", "match", "board", "scenario", "recorded_by")
    header = {"type": "header", "game": "calth"} | dict.fromkeys(keys, bad)
    heading = engine.log_heading(json.dumps(header).encode())
    for key, value in heading.items():
        assert isinstance(value, {"players": list, "match": dict}.get(key, str)), key


def test_a_heading_names_packs_by_their_titles() -> None:
    heading = engine.log_heading(CLEAN)
    assert heading["players"] == [{"id": "UM", "name": "Ada"}, {"id": "WB", "name": "Ben"}]
    assert (heading["board"], heading["scenario"]) == ("Example", "Example")


def test_games_are_looked_up_by_their_key() -> None:
    assert list(engine.GAMES) == list(game_keys()) and len(engine.GAMES) == len(game_keys())
    assert engine.GAMES["calth"].key == "calth"
    assert "chess" not in engine.GAMES
    with pytest.raises(KeyError):
        engine.GAMES["chess"]
    assert engine.schema("calth") == schema_of("calth")
