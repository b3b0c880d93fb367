"""Names as people write them are read as the one known name that they can mean; what fits none is open."""

from __future__ import annotations

import json
import unicodedata

import pytest

from auditor.core import bounds
from auditor.core.fields import leaves
from auditor.engine import audit_log
from auditor.ingest import read
from auditor.ingest.spelling import unstated
from auditor.systems.hcg import records as hcg
from auditor.systems.names import Known, without_strays
from auditor.systems.spelling import alike, folded
from tests.cli.shell import GAMES, lines_of

GAME = GAMES / "clean-1.jsonl"


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("Plasma Pistol ", "plasma_pistol"),
        ("plasma-pistol", "plasma_pistol"),
        ("P1-07", "p1-7"),
        ("p1-7", "p1-07"),
        ("um1", "UM-1"),
        ("ｕｍ－１", "um-1"),
        (unicodedata.normalize("NFD", "légion 1"), unicodedata.normalize("NFC", "Légion-1")),
        ("wb\u00a010", "wb-10"),
    ],
)
def test_what_people_write_in_more_ways_than_one_is_one_name(written, known):
    assert folded(written) == folded(known)


@pytest.mark.parametrize(("one", "other"), [("um-1-1", "um-11"), ("wb-1", "wb-10"), ("a", "b"), ("um.1", "um1")])
def test_names_of_different_things_stay_apart(one, other):
    assert folded(one) != folded(other)


def test_a_name_is_read_only_where_exactly_one_fits():
    assert Known("a unit", frozenset({"um-1", "um-2"})).meant("UM 2") == "um-2"
    assert Known("a unit", frozenset({"um-1", "um_1"})).meant("UM 1") is None
    assert Known("a unit", frozenset({"um-1"})).meant("um-3") is None


def otherwise(change) -> bytes:
    lines = [json.loads(line) for line in GAME.read_text(encoding="utf-8").splitlines()]
    for event in lines[1:]:
        change(event)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def faces_as(spell):
    def change(event):
        if isinstance(event.get("roll"), str):
            event["roll"] = spell(event["roll"])
        for step in event.get("steps") or ():
            if isinstance(step.get("faces"), str):
                step["faces"] = spell(step["faces"])

    return change


@pytest.mark.parametrize(
    "spell",
    [
        str.lower,
        lambda faces: faces + " ",
        lambda faces: [face.lower() for face in faces],
        lambda faces: ", ".join(faces),
        lambda faces: [{"C": "Critical", "H": "hit", "S": "shield", "B": "blank"}[face] for face in faces],
        lambda faces: "".join(chr(ord(face) + 0xFEE0) for face in faces),
    ],
    ids=["lower case", "a blank behind", "a list", "commas", "words", "full width"],
)
def test_faces_are_read_however_they_are_spelled(spell):
    audit, plain = audit_log(otherwise(faces_as(spell))), audit_log(GAME.read_bytes())
    assert (audit["verdict"], audit["errors"]) == ("clean", [])
    assert [one["id"] for one in audit["findings"]] == [one["id"] for one in plain["findings"]]
    said = [note["text"] for note in audit["notes"] if note["kind"] == "input"]
    assert len(said) == 1 and said[0].startswith("Faces of dice are written otherwise"), said


def test_faces_that_no_die_has_count_as_not_stated():
    audit = audit_log(otherwise(faces_as(lambda faces: "СН" + faces[2:])))  # two letters that only look like C and H
    assert [one for one in audit["findings"] if one["stands"]] == []
    assert audit["verdict"] == "incomplete"
    assert audit["errors"][0]["expected"] == "faces of the die: C, H, S and B"


def test_an_unknown_model_accuses_nobody_and_is_an_error_with_the_nearest_one():
    def change(event):
        if event["type"] == "place":
            event["model"] = event["model"].replace("1", "l")

    audit = audit_log(otherwise(change))
    assert [one for one in audit["findings"] if one["stands"]] == []
    assert audit["errors"][0]["expected"] == "a model of the rosters" and audit["errors"][0]["nearest"]


def test_words_numbers_and_types_of_events_are_read_tolerantly_too():
    def change(event):
        event["type"] = event["type"].replace("_", " ").title()
        for key in ("player", "phase", "action", "mode", "role", "cause"):
            if isinstance(event.get(key), str):
                event[key] = f" {event[key].capitalize()}"
        for key in ("round", "tp_before", "tp_after"):
            if isinstance(event.get(key), int):
                event[key] = f"{event[key]} "

    audit = audit_log(otherwise(change))
    assert (audit["verdict"], audit["errors"]) == ("clean", [])
    assert [note["text"][:27] for note in audit["notes"] if note["kind"] == "input"] == ["Words are written otherwise"]


def test_a_word_that_can_mean_none_is_left_out_and_accuses_nobody():
    audit = audit_log(otherwise(lambda event: event.update(mode="from afar") if event["type"] == "attack" else None))
    assert [one for one in audit["findings"] if one["stands"]] == []
    assert audit["verdict"] == "incomplete" and audit["errors"][0]["path"] == "mode"


def test_what_the_header_gives_to_two_things_is_an_error_of_the_header():
    lines = lines_of("legal")
    ours, theirs = (lines[0]["rosters"][side] for side in ("UM", "WB"))
    text = json.dumps(lines).replace(f'"{theirs["models"][0]["id"]}"', f'"{ours["models"][0]["id"]}"')
    audit = audit_log("".join(json.dumps(line) + "\n" for line in json.loads(text)).encode())
    assert [one for one in audit["findings"] if one["stands"]] == []
    assert audit["verdict"] in ("incomplete", "unreadable") and audit["errors"][0]["line"] == 1


def test_a_name_without_what_stands_between_its_numbers_may_be_another_or_its_own() -> None:
    assert alike("p1-21", "p121") and alike("P1 21", "p1-21")
    assert not alike("p1-21", "p1-22")
    assert folded("p1-21") != folded("p121"), "read as the other it is not: um-1-1 and um-11 may both be there"


@pytest.mark.parametrize(
    ("event", "left"),
    [
        (hcg.VictoryDiscard(seq=1, by="p1", cards=["p1-a", "p1-b or so"]), None),  # claimed: the rest would be too few
        (hcg.Destroy(seq=1, cards=["p1-a", "p1-b or so"]), ["p1-a"]),
    ],
)
def test_of_a_claimed_list_with_an_unreadable_name_nothing_is_claimed(event, left) -> None:
    leaf = next(leaf for leaf in leaves(event) if leaf.value == "p1-b or so")
    assert unstated(event, leaf).cards == left


def spelled_otherwise(event) -> None:
    if "unit" in event:
        event["unit"] = event["unit"].upper().replace("-", " ")


def test_beyond_so_many_names_that_are_written_otherwise_lines_are_not_read_and_accuse_nobody(monkeypatch) -> None:
    many = audit_log(otherwise(spelled_otherwise))
    assert many["verdict"] == "clean"
    monkeypatch.setattr(bounds, "MOST_RESPELLED", 20)
    few = audit_log(otherwise(spelled_otherwise))
    assert few["verdict"] == "incomplete" and not any(one["stands"] for one in few["findings"])
    assert few["errors"][0]["expected"] == "at most 20 of these in one log"
    assert any("after 20 of these in one log" in one["why"] for one in few["coverage"]["unchecked"])


def test_the_nearest_name_is_sought_for_so_many_that_fit_none(monkeypatch) -> None:
    def unknown(event) -> None:
        if event["type"] == "place":
            event["model"] = event["model"].replace("1", "l")

    data = otherwise(unknown)
    names = {error.found for error in read(data).errors if error.nearest}
    monkeypatch.setattr(bounds, "MOST_NEAREST", 2)
    assert len({error.found for error in read(data).errors if error.nearest}) == 2 < len(names)


@pytest.mark.parametrize("stray", ["p133", '"p1-33"', "p1-33 or so", "see the note", "\u04401-33", "p1--33"])
def test_among_many_names_of_one_form_one_of_its_own_is_none(stray):
    names = frozenset(f"p{player}-{n}" for player in (1, 2) for n in range(20))
    assert without_strays(names) == (names, True)
    assert without_strays(names | {stray}) == (names, True)


@pytest.mark.parametrize(
    "names",
    [
        [f"p1-{n}" for n in range(18)] + ["p133"],
        ["Harrow Pikes", "Ash Sentinels", "Bastion", "Relay", "Long Patience II", "Iron Psalm III"] * 4,
        [f"a{n}" for n in range(20)] + [f"b-{n}" for n in range(20)] + [f"c/{n}" for n in range(20)] + ["x.1"],
        [f"p1-{n}" for n in range(20)] + ["x", "y z"],
    ],
    ids=["few", "titles", "many forms", "many of their own"],
)
def test_where_names_are_written_in_many_ways_each_may_be_one(names):
    assert without_strays(frozenset(names)) == (frozenset(names), False)
