"""Every field of every event, of its parts, and of headers and data packs says what it is."""

from __future__ import annotations

from functools import partial
from typing import Any, get_args

import pytest

from auditor import engine, systems
from auditor.conformance.logs import as_jsonl
from auditor.core.fields import Declared, Of, declared, holding, leaves, needed, parts_of, written
from auditor.ingest import read
from auditor.systems.shapes import Shape
from tests.examples import examples
from tests.shares import is_tried

GAMES = tuple(systems.REGISTRY)


def shapes_of(game: str) -> list[type]:
    """Every struct of a log of a game: its events, their parts, the header and what may stand in it."""
    form = systems.game(game).format
    found = [part for kind in (*form.events.values(), form.header.type) for part in parts_of(kind)]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("game", GAMES)
def test_every_field_is_declared(game: str) -> None:
    undeclared = [
        f"{kind.__name__}.{name}"
        for kind in shapes_of(game)
        for name in kind.__struct_fields__  # type: ignore[attr-defined]
        if name not in declared(kind)
    ]
    assert undeclared == []


@pytest.mark.parametrize("game", GAMES)
def test_every_declaration_is_of_a_kind_that_there_is(game: str) -> None:
    kinds = set(get_args(Of))
    for kind in shapes_of(game):
        for name, what in declared(kind).items():
            assert {what.of, *what.each, *([what.keys] if what.keys else [])} <= kinds, (kind, name)
            assert what.words and not what.words.endswith(".") and what.words[0] == what.words[0].lower(), (kind, name)


def without_words(schema: dict[str, Any]) -> list[str]:
    """The fields of a JSON Schema of which it does not say what they are."""
    shapes = [("", schema), *schema["$defs"].items()]
    return [
        f"{shape}.{name}"
        for shape, what in shapes
        for name, field in what.get("properties", {}).items()
        if not field.get("description")
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_of_a_log_describes_every_field(game: str) -> None:
    schema = engine.schema(game)
    assert sum(len(shape.get("properties", {})) for shape in schema["$defs"].values()) > 300
    assert without_words({"$defs": schema["$defs"]}) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_schemas_of_packs_describe_every_field(game: str) -> None:
    for kind in systems.game(game).packs.kinds:
        assert without_words(engine.schema(game, kind)) == [], kind


@pytest.mark.parametrize("game", GAMES)
def test_the_schema_says_what_a_line_needs(game: str) -> None:
    for kind in systems.game(game).format.events.values():
        properties = Shape(kind).schema["$defs"][kind.__name__]["properties"]
        always = {name for name, field in properties.items() if field.get("x-needed") == "always"}
        facts = {name for name in always if properties[name]["x-role"] == "fact"}
        assert facts == {written(kind, name) for name in needed(kind)}, kind


def test_an_effect_may_be_done_to_a_player_and_come_from_a_sector_card() -> None:
    """Neither is a card of the lists of instances, and neither is an error."""
    header, *_ = systems.game("hcg").inventor().legal_lines(1)
    sector = header["sectors"][0]["card"]
    effect = {
        "seq": 1,
        "type": "effect",
        "source": {"zone": "sectorcard", "card": sector, "ability": 0},
        "op": "flags",
        "targets": [header["players"][0]["id"]],
        "amount": 1,
    }
    assert all(player.get("instances") for player in header["players"])
    assert engine.audit_log(as_jsonl([header, effect]).encode())["errors"] == []
    wrong = {**effect, "targets": ["nobody"]}
    assert [one["path"] for one in engine.audit_log(as_jsonl([header, wrong]).encode())["errors"]] == ["targets[0]"]


@pytest.mark.parametrize("game", GAMES)
def test_the_fields_that_may_hold_a_value_of_a_kind_are_those_that_do(game: str) -> None:
    held: dict[tuple[type, str], set[Of]] = {}
    for one in examples(game):
        if not is_tried(4, one, "fields"):
            continue
        for event in read(one.read_bytes()).events:
            for leaf in leaves(event):
                held.setdefault((type(event), str(leaf.path[0])), set()).add(leaf.of)
    assert len(held) > 100
    for (kind, name), found in held.items():
        missed = {of for of in found if name not in holding(kind, partial(_is_of, of))}
        assert not missed, (kind, name, missed)
    # And no field of an event holds a pack.
    assert not any(holding(kind, partial(_is_of, "pack")) for kind, _ in held)


def _is_of(of: Of, what: Declared) -> bool:
    return what.of == of
