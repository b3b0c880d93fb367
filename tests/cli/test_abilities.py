"""`auditor abilities`: what it says of a card set."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.shell import auditor

SHIP = {"id": "s1", "title": "Far Bell", "kind": "ship", "alignment": "traitor", "die": 6, "line": "E: +1 flag."}


def test_each_text_is_shown_as_it_was_read_with_the_words_not_understood(tmp_path: Path) -> None:
    card = {**SHIP, "abilities": ["BA Lock this ship, (4+): Draw 1 card and sing. Unlimited."], "die": 9}
    path = tmp_path / "ships.json"
    path.write_text(json.dumps({"id": "ships", "title": "Ships", "source": "test", "cards": [card]}))
    said = auditor("abilities", str(path))
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [
        "s1  Far Bell",
        "  box 1  partial  BA Lock this ship, (4+): Draw 1 card and sing. Unlimited.",
        "    cost: lock             Lock this ship",
        "    cost: test             (4+)",
        "    effect: draw           Draw 1 card",
        "    not understood:        sing",
        "  line   full     E: +1 flag.",
        "    effect: flags          +1 flag",
        "ships: 1 cards, 2 texts: 1 read in full (50.0 %), 1 in part, 0 not at all",
        "warning: cards[0].die: 9; expected a die number of 1 to 6",
    ]


def test_the_built_in_set_is_named_by_its_id_and_told_as_json() -> None:
    found = auditor("abilities", "hcg-example", "--unread", "--format", "json").value
    assert found["cards"] == 158 and len(found["abilities"]) == 10 == found["partial"] + found["none"]
    assert all(one["not_understood"] for one in found["abilities"])


def test_a_file_that_is_no_card_set_is_a_wrong_call_with_all_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "ships.json"
    path.write_text(json.dumps([{**SHIP, "flags": 1, "line": "A: Draw 1 card."}, SHIP]))
    said = auditor("abilities", str(path))
    assert said.status == 2
    assert said.err.splitlines() == [
        "auditor: ships.json: cards[0].flags: 1; expected nothing: a ship has none",
        'auditor: ships.json: cards[0].line: "A: Draw 1 card."; expected a command line: it begins with BA, T, R, M or E',
        'auditor: ships.json: cards[1].id: "s1"; expected an id of its own: another card has it',
    ]
    assert auditor("abilities", "hcg-exampl").err.endswith('the nearest is "hcg-example"\n')
