"""The events of a log are those of the catalogue, with its field names."""

from __future__ import annotations

import json

import msgspec
import pytest

from auditor.systems.hcg import records

SHOT = """
{"seq":201,"type":"ba.shoot","by":"p1","turn":2,"battle":2,"ba":4,"unit":"p1-11","target":"p2-05"}
{"seq":202,"type":"block","by":"p2","ba":4,"unit":"p2-19"}
{"seq":203,"type":"tactic","by":"p1","ba":4,"source":{"zone":"hand","card":"p1-40","ability":"line"},"choices":{"target":"p1-11"},"ids":{"p1-40":"hcg-052"}}
{"seq":204,"type":"effect","ba":4,"source":{"zone":"hand","card":"p1-40","ability":"line"},"op":"modify","targets":["p1-11"],"stat":"firepower","amount":2,"until":"ba"}
{"seq":205,"type":"tactic.pass","by":"p2","ba":4}
{"seq":224,"type":"roll","by":"p1","ba":6,"source":{"zone":"hand","card":"p1-31","ability":"line"},"card":"p1-44","die":3,"purpose":"test","need":5}
{"seq":225,"type":"modifier","by":"p1","ba":6,"source":{"zone":"hand","card":"p1-33","ability":"line"},"roll":224,"amount":2}
{"seq":234,"type":"reaction","by":"p2","ba":6,"source":{"zone":"sector","card":"p2-20","ability":0},"trigger":232,"choices":{}}
{"seq":235,"type":"draw","by":"p2","ba":6,"n":1,"cards":["p2-48"],"to":"command_hand","cause":"effect","source":{"zone":"sector","card":"p2-20","ability":0}}
{"seq":207,"type":"damage","ba":4,"from":"p1-11","to":"p2-19","stat":"firepower","amount":5,"armor":5,"destroyed":true,"step":1}
{"seq":239,"type":"ba.end","ba":6,"positions":{"p1-07":"locked","p2-20":"ready"}}
"""

POSITION = """
{"seq":1,"type":"position","turn":3,"battle":1,"ba":1,"phase":"battle","roles":{"p1":"attacker","p2":"defender"},
 "planet":"Meridian","next":"p2","sectors":[{"slot":1,"state":"taken","by":"p1","fought":false},
 {"slot":2,"state":"in_battle","fought":true},{"slot":3,"state":"open","fought":false}],
 "zones":{"p1":{"deck":{"n":20},"deploy_hand":[],"command_hand":["p1-30","p1-31"],"discard":28,"limbo":[],
 "set_aside":[],"sectors":{"2":[{"card":"p1-07","face":"up","position":"charging"},"p1-11"],"3":["p1-14",null,null]},
 "fleet":[{"card":"p1-22","face":"up","position":"locked"}]}},
 "sector":2,"chooser":"p1","step":"battle","passes":0,"flags":{"p1":3,"p2":4},"bonuses":[]}
"""

_decoder = msgspec.json.Decoder(records.AnyEvent)


@pytest.mark.parametrize("line", SHOT.strip().splitlines())
def test_the_examples_of_the_catalogue_are_read_and_nothing_of_them_is_lost(line: str) -> None:
    event = _decoder.decode(line)
    assert json.loads(msgspec.json.encode(event)) == json.loads(line)
    assert event.player == event.by


def test_a_position_keeps_unknown_cards_and_numbers_apart() -> None:
    stated = _decoder.decode(POSITION)
    assert isinstance(stated, records.Position) and stated.zones is not None
    zones = stated.zones["p1"]
    assert zones.discard == 28 and zones.sectors is not None
    assert zones.sectors["3"] == ["p1-14", None, None]
    row, bare = zones.sectors["2"]  # type: ignore[misc]
    assert isinstance(row, records.Row) and row.position == "charging" and bare == "p1-11"


def test_null_and_absent_differ_where_nobody_is_an_answer() -> None:
    assert _decoder.decode('{"seq":1,"type":"victory.result","winner":null}').winner is None
    assert _decoder.decode('{"seq":1,"type":"victory.result"}').winner is msgspec.UNSET


def test_every_type_of_the_catalogue_is_there() -> None:
    assert len(records.EVENTS) == 67
    assert all(name == kind.__struct_config__.tag for name, kind in records.EVENTS.items())
    assert {name for name, kind in records.EVENTS.items() if kind.opens_ba} == {
        "ba.shoot",
        "ba.charge",
        "ba.assault",
        "ba.card",
        "ba.ability",
        "ba.withdraw",
        "ba.pass",
    }
