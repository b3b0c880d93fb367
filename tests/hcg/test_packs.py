"""Card sets and decks: what a card must print, what a deck may hold, and the example set that comes with the program."""

from __future__ import annotations

import csv
import io
import json
import time
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from auditor import systems
from auditor.core.bounds import MOST_ERRORS
from auditor.ingest import check_packs, read_packs
from auditor.systems.hcg.abilities import parts
from auditor.systems.hcg.packs import PACKS, CardSet, deck_faults, setup_of
from auditor.systems.hcg.packs.cards import STATS, card_set
from auditor.systems.hcg.packs.shapes import HEADER, SCHEMAS
from auditor.systems.packs import BadPacks, Pack, Packs, check
from auditor.systems.sheets import is_date

UNIT: dict[str, Any] = {
    "id": "u1", "title": "Salt Riders", "kind": "unit", "alignment": "loyalist", "flags": 1, "firepower": 2,
    "assault": 4, "speed": 3, "armor": 3, "die": 3, "line": "T: Any unit gets +1 armor.",
}  # fmt: skip
ASSET: dict[str, Any] = {
    "id": "a1", "title": "Relay", "kind": "asset", "alignment": "unaligned", "flags": 0, "armor": 2, "die": 1,
    "line": "BA: Draw 1 card.",
}  # fmt: skip
SHIP: dict[str, Any] = {
    "id": "s1", "title": "Far Bell", "kind": "ship", "alignment": "traitor", "die": 6, "line": "E: +1 flag.",
}  # fmt: skip
SECTOR: dict[str, Any] = {"id": "x1", "title": "Salt Stair", "kind": "sector", "requirement": 4, "planet": "Meridian"}


def built_in() -> Packs:
    return systems.game("hcg").built_in_packs


def packs_of(*files: tuple[str, bytes]) -> list[Pack]:
    """The packs of some files of this game alone, beside nothing."""
    return check(files, {"hcg": PACKS})


def made(*cards: dict[str, Any]) -> tuple[CardSet, list[tuple[str, str]]]:
    found, wrong = card_set("set", "Set", cards, lambda i: f"cards[{i}]")
    return found, [(misfit.path, misfit.expected) for misfit in wrong]


def without(card: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in card.items() if key not in names}


def test_a_card_of_each_kind_is_taken_as_it_stands() -> None:
    cards, wrong = made(UNIT, ASSET, SHIP, SECTOR)
    assert not wrong and not cards.warnings
    assert cards.cards["u1"].stats == {"firepower": 2, "assault": 4, "speed": 3, "armor": 3}
    assert cards.cards["u1"].line is not None and cards.cards["u1"].line.type == "T"


@pytest.mark.parametrize(
    ("card", "path"),
    [
        (without(UNIT, "speed"), "speed"),
        ({**ASSET, "firepower": 2}, "firepower"),
        ({**ASSET, "armor": None}, "armor"),
        ({**SHIP, "flags": 1}, "flags"),
        ({**SHIP, "armor": 1}, "armor"),
        ({**SECTOR, "die": 3}, "die"),
        ({**SECTOR, "line": "T: Draw 1 card."}, "line"),
        ({**UNIT, "line": "A: Draw 1 card."}, "line"),
        ({**UNIT, "line": "Counterattack."}, "line"),
        ({**UNIT, "line_colour": "blue"}, "line_colour"),
        ({**UNIT, "requirement": 3}, "requirement"),
        (without(UNIT, "die"), "die"),
        (without(UNIT, "alignment"), "alignment"),
        ({**SECTOR, "reverse": "nowhere"}, "reverse"),
        ({**UNIT, "abilities": ["(" * 900]}, "abilities[0]"),
        ({**UNIT, "abilities": ["a" * 1_000_000]}, "abilities[0]"),
        ({**UNIT, "kind": "hero"}, "kind"),
    ],
)
def test_what_a_kind_must_print_and_must_not(card: dict[str, Any], path: str) -> None:
    _, wrong = made(card)
    assert [place for place, _ in wrong] == [f"cards[0].{path}"]


def test_a_number_that_cannot_be_used_is_null_and_a_strange_die_is_a_warning() -> None:
    cards, wrong = made({**UNIT, "firepower": None, "die": 9})
    assert not wrong
    assert cards.cards["u1"].stats["firepower"] is None
    assert [misfit.path for misfit in cards.warnings] == ["cards[0].die"]


def test_every_error_of_a_set_is_said_at_once() -> None:
    _, wrong = made({**UNIT, "kind": "hero"}, {**ASSET, "firepower": 2, "line": "A: Draw 1 card."}, SHIP, SHIP)
    assert [path for path, _ in wrong] == ["cards[0].kind", "cards[1].firepower", "cards[1].line", "cards[3].id"]


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    out = io.StringIO()
    table = csv.DictWriter(out, columns)
    table.writeheader()
    for row in rows:
        flat = {
            key: "|".join(f"*{w['name']}*" if w.get("bold") else w["name"] for w in value)
            if key == "keywords"
            else "|".join(value)
            if key == "abilities"
            else "-"
            if value is None
            else str(value).lower()
            if isinstance(value, bool)
            else value
            for key, value in row.items()
        }
        table.writerow(flat)
    return out.getvalue().encode()


def test_an_id_is_taken_by_a_card_with_which_something_else_is_wrong_too() -> None:
    _, wrong = made({**UNIT, "kind": "hero"}, {**SHIP, "id": "u1"}, UNIT)
    assert [path for path, _ in wrong] == ["cards[0].kind", "cards[1].id", "cards[2].id"]


def test_a_set_as_csv_is_the_set_as_json() -> None:
    example = json.loads(read_example("example-cards.json"))
    (from_csv,) = packs_of(("mine.csv", as_csv(example["cards"])))
    assert from_csv.made.cards == built_in().of_kind("cards")["hcg-example"].made.cards
    assert (from_csv.game, from_csv.id, from_csv.title) == ("hcg", "mine", "mine")
    assert from_csv.written["source"] == "the file mine.csv"


def test_cards_alone_are_a_set_that_bears_the_name_of_its_file() -> None:
    (alone,) = check_packs([("ships.json", json.dumps([SHIP, {**SHIP, "id": "s2"}]).encode())])
    assert (alone.game, alone.kind, alone.id, set(alone.made.cards)) == ("hcg", "cards", "ships", {"s1", "s2"})


def test_every_error_of_a_csv_names_its_row() -> None:
    table = b"id,title,kind,alignment,die,line\ns1,Far Bell,ship,traitor,six,E: +1 flag.\ns1,Low Tide,ship,neither,2\n,,,,,\ns2,Low Tide,ship,traitor,2,A: Dance.\n"
    with pytest.raises(BadPacks) as bad:
        packs_of(("ships.csv", table))
    assert [(error.path or "").split(": ", 1)[-1] for error in bad.value.errors] == [
        "row 2.die",
        "row 3.alignment",
        "row 5.line",
    ]
    with pytest.raises(BadPacks) as bad:
        packs_of(("ships.csv", b"id,titel,kind,dye\ns1,Far Bell,ship,1\n"))
    assert [(error.found, error.nearest) for error in bad.value.errors] == [('"titel"', "title"), ('"dye"', "die")]


def sheets_of(table: bytes) -> Any:
    (pack,) = check_packs([("mine.csv", table)])
    return pack.made.cards


EXAMPLE = as_csv(
    json.loads(
        resources.files("auditor.systems.hcg").joinpath("data", "packs", "example-cards.json").read_text("utf-8")
    )["cards"]
).decode()
ROWS = list(csv.reader(io.StringIO(EXAMPLE, newline="")))


def written(sign: str = ",", rows: list[list[str]] = ROWS, quoting: Any = csv.QUOTE_MINIMAL, end: str = "\r\n") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=sign, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue()


def with_numbers(change: Any) -> list[list[str]]:
    return [ROWS[0], *([change(cell) if cell.isdecimal() else cell for cell in row] for row in ROWS[1:])]


@pytest.mark.parametrize(
    "table",
    [
        written(";").encode(),
        written("\t").encode(),
        written("|").encode(),
        written(",", quoting=csv.QUOTE_ALL).encode(),
        written(";", quoting=csv.QUOTE_ALL).encode("utf-8-sig"),
        b"sep=;\r\n" + written(";").encode(),
        b"\xef\xbb\xbfsep=,\r\n" + written(",").encode(),
        written("\t").encode("utf-16"),
        written(",").encode("utf-16-le"),
        written(";").encode("cp1252"),
        written(",", end="\r").encode(),
        b"\n\n" + written(",").encode(),
        written(rows=[[c.upper() for c in ROWS[0]], *ROWS[1:]]).encode(),
        written(rows=[[f" {c.title().replace('_', ' ')} " for c in ROWS[0]], *ROWS[1:]]).encode(),
        written(rows=[[c.replace("line_colour", "Line Color").replace("armor", "Armour") for c in ROWS[0]], *ROWS[1:]]).encode(),
        written(rows=[[*row, "", ""] for row in ROWS]).encode(),
        written(rows=[ROWS[0], *([*row, "", ""] for row in ROWS[1:])]).encode(),
        written(rows=[[*row, "Picture" if not n else f"{n}.png"] for n, row in enumerate(ROWS)]).encode(),
        (written() + ",,,\r\n" * 20).encode(),
        ("\n".join(row.rstrip(",") for row in written(end="\n").split("\n"))).encode(),
        written(rows=with_numbers(lambda cell: f"{cell}.0")).encode(),
        written(";", rows=with_numbers(lambda cell: f"{cell},0")).encode(),
        written(rows=with_numbers(lambda cell: f" {cell} ")).encode(),
        written(rows=[[{"true": "WAHR", "false": "FALSCH"}.get(c, c) for c in row] for row in ROWS]).encode(),
        written(rows=[[{"unit": "Unit", "loyalist": "Loyalist", "gold": "GOLD"}.get(c, c) for c in row] for row in ROWS]).encode(),
    ],
    ids=[
        "semicolons", "tabs", "bars", "all quoted", "all quoted with a BOM", "sep=", "BOM and sep=", "Unicode Text",
        "utf-16-le", "cp1252", "CR", "blank lines before", "capitals", "titles with blanks", "American headings",
        "empty columns", "empty cells behind", "a column more", "empty rows", "no empty cells behind", "4.0", "4,0",
        "blanks around numbers", "WAHR", "capitals in words",
    ],
)  # fmt: skip
def test_a_sheet_is_the_same_set_however_a_spreadsheet_saves_it(table: bytes) -> None:
    assert sheets_of(table) == sheets_of(EXAMPLE.encode())


DATES = [
    "1-Mar",
    "01-Mrz",
    "01.Mrz",
    "1.Mai.26",
    "3. Mai",
    "Mar-01",
    "1-déc",
    "01.03.2026",
    "3/1/2026",
    "2026-03-01",
    "1 août 26",
    "1.00E+05",
]


@pytest.mark.parametrize("date", DATES)
def test_an_id_of_which_a_spreadsheet_made_a_date_is_named(date: str) -> None:
    rows = [row if n != 2 else [date, *row[1:]] for n, row in enumerate(ROWS)]
    with pytest.raises(BadPacks, match="made a date") as bad:
        packs_of(("mine.csv", written(rows=rows).encode()))
    assert bad.value.errors[0].path == "mine.csv: row 3.id"


@pytest.mark.parametrize("id_", ["um-1", "mar-x", "d-12", "zz-u01", "1-march-of-iron", "a.b.c", "12", "dec-imus"])
def test_an_id_that_is_no_date_is_none(id_: str) -> None:
    assert not is_date(id_)


def test_what_is_left_out_of_a_sheet_and_how_it_was_read_is_said() -> None:
    said: list[str] = []
    table = written(rows=[[*row, "Picture" if not n else "x.png"] for n, row in enumerate(ROWS)])
    check_packs([("mine.csv", table.replace("Far", "Fär").encode("cp1252"))], remarks=said)
    assert len(said) == 2 and "Windows-1252" in said[0] and '"Picture"' in said[1]


@pytest.mark.parametrize("cell", ["4.5", "four", "4.0.0", "1E2", "--4"])
def test_a_number_that_is_none_stays_an_error_of_its_row(cell: str) -> None:
    with pytest.raises(BadPacks) as bad:
        packs_of(("ships.csv", f"id,title,kind,alignment,die\ns1,Far Bell,ship,traitor,{cell}\n".encode()))
    assert [(error.path, error.found) for error in bad.value.errors] == [("ships.csv: row 2.die", f'"{cell}"')]


@pytest.mark.parametrize(
    ("content", "what"), [(b"PK\x03\x04", None), (b"%PDF-1.4", "a PDF"), (b"\x89PNG\r\n\x1a\n", "a picture")]
)
def test_what_is_no_pack_is_named_or_at_least_refused(content: bytes, what: str | None) -> None:
    with pytest.raises(BadPacks) as bad:
        check_packs([("cards.csv", content)])
    assert what is None or bad.value.errors[0].found == what


def test_errors_of_packs_have_a_bound() -> None:
    table = "id,title,kind,die\n" + "".join(f"s{n},Far Bell,ship,{'x' * 300}\n" for n in range(3_000))
    with pytest.raises(BadPacks) as bad:
        check_packs([("ships.csv", table.encode())])
    assert len(bad.value.errors) == MOST_ERRORS + 1 and "more errors" in bad.value.errors[-1].found
    assert len(str(bad.value)) < MOST_ERRORS * 600


def read_example(name: str) -> str:
    from importlib import resources

    return resources.files("auditor.systems.hcg").joinpath("data", "packs", name).read_text("utf-8")


def deck(cards: list[dict[str, Any]], **more: Any) -> bytes:
    head = {"id": "d", "title": "D", "source": "test", "set": "hcg-example", "side": "loyalist"}
    return json.dumps({**head, "cards": cards, **more}).encode()


def test_a_deck_names_a_set_and_its_cards() -> None:
    (pack,) = check_packs([("d.json", deck([{"card": "ex-l01", "n": 4}]))])
    assert pack.made.cards == {"ex-l01": 4}
    with pytest.raises(BadPacks) as bad:
        check_packs([("d.json", deck([{"card": "ex-l001", "n": 4}, {"card": "ex-l02", "n": 0}]))])
    assert [(error.path, error.nearest) for error in bad.value.errors] == [
        ("d.json: cards[1].n", None),
        ("d.json: cards[0].card", "ex-l01"),
    ]
    with pytest.raises(BadPacks) as bad:
        check_packs([("d.json", deck([{"card": "ex-l01", "n": 4}], set="hcg-exampel"))])
    assert [(error.path, error.nearest) for error in bad.value.errors] == [("d.json: set", "hcg-example")]
    table = b"card,n,set,side\nex-l01,4,hcg-example,loyalist\nex-l02,3,,\n"
    (pack,) = check_packs([("mine.csv", table)])
    assert (pack.kind, pack.made.size) == ("deck", 7)
    with pytest.raises(BadPacks) as bad:
        check_packs([("mine.csv", b"card,n,set,side\nex-l01,4,hcg-example,loyalist\nex-q02,3,,traitor\n")])
    assert [error.path for error in bad.value.errors] == ["mine.csv: side"]


def test_a_deck_may_come_before_its_set_and_is_held_against_those_given_beside_it() -> None:
    ships = ("ships.json", json.dumps([SHIP]).encode())
    mine = ("a-deck.json", deck([{"card": "s1", "n": 4}], set="ships", side="traitor"))
    assert {pack.kind for pack in check_packs([mine, ships])} == {"cards", "deck"}
    assert [pack.kind for pack in check_packs([mine], beside=check_packs([ships]))] == ["deck"]
    with pytest.raises(BadPacks, match="the id of a card set known here"):
        check_packs([mine])
    assert [pack.kind for pack in check_packs([mine], together=False)] == ["deck"]


def test_tables_of_a_folder_are_packs_too(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_bytes(b"card,n,set,side\nex-l01,4,hcg-example,loyalist\n")
    (tmp_path / "ships.json").write_text(json.dumps([SHIP]))
    assert sorted(pack.id for pack in read_packs([tmp_path])) == ["mine", "ships"]


def test_a_pack_of_another_game_or_of_no_game_is_refused_by_its_name() -> None:
    for content in ({"game": "calth", "cards": []}, {"hexes": []}, 7):
        with pytest.raises(BadPacks, match=r"odd\.json"):
            packs_of(("odd.json", json.dumps(content).encode()))
    with pytest.raises(BadPacks, match="given twice"):
        packs_of(("odd.json", b'{"id":"a","id":"b","title":"t","source":"s","cards":[{"id":"x"}]}'))


def test_everything_that_is_wrong_with_a_set_is_said_once() -> None:
    with pytest.raises(BadPacks) as bad:
        packs_of(("s.json", json.dumps({"title": 7, "cards": [{**SHIP, "armor": 1}, 5]}).encode()))
    assert sorted((error.path or "").split(": ", 1)[1] for error in bad.value.errors) == [
        "cards[0].armor",
        "cards[1]",
        "id",
        "source",
        "title",
    ]


# -- deck construction --------------------------------------------------------------------------------------------


def example() -> CardSet:
    cards: CardSet = built_in().of_kind("cards")["hcg-example"].made
    return cards


def sixty(**changes: int) -> dict[str, int]:
    return {**{f"ex-l{i:02}": 4 for i in range(1, 16)}, **changes}


@pytest.mark.parametrize(
    ("counts", "rules"),
    [
        (sixty(), []),
        (sixty(**{"ex-l01": 3}), ["HCG-DECK-01"]),
        (sixty(**{"ex-l01": 5}), ["HCG-DECK-02"]),
        (sixty(**{"ex-t01": 1}), ["HCG-DECK-03"]),
        (sixty(**{"ex-u01": 4}), []),
        (sixty(**{"sec-vesper-1": 1}), ["HCG-DECK-04"]),
        (sixty(**{"a-card-nobody-knows": 5}), ["HCG-DECK-02"]),
    ],
)
def test_what_a_deck_may_hold(counts: dict[str, int], rules: list[str]) -> None:
    assert [fault.rule for fault in deck_faults("loyalist", counts, example())] == rules


def test_under_name_group_the_titles_of_one_character_are_one_card() -> None:
    counts = sixty(**{"ex-l01": 3, "ex-l02": 4})
    assert example().cards["ex-l01"].group == example().cards["ex-l02"].group
    assert [f.rule for f in deck_faults("loyalist", sixty(), example(), lambda card: card.group)] == ["HCG-DECK-02"]
    (fault, small) = deck_faults("loyalist", counts, example(), lambda card: card.group)[::-1]
    assert (fault.rule, fault.claimed, small.rule) == ("HCG-DECK-02", 7, "HCG-DECK-01")


# -- the example set ----------------------------------------------------------------------------------------------


def test_the_example_set_has_all_that_a_game_needs() -> None:
    cards = example()
    assert len(cards.cards) >= 150 and not cards.warnings
    kinds = Counter(card.kind for card in cards.cards.values())
    assert set(kinds) == {"unit", "asset", "ship", "sector"}
    planets = Counter(card.planet for card in cards.cards.values() if card.kind == "sector")
    assert len(planets) == 3 and min(planets.values()) >= 3
    for card in cards.cards.values():
        if card.kind == "sector":
            assert card.reverse is not None
            assert cards.cards[card.reverse].reverse == card.id
            assert cards.cards[card.reverse].planet != card.planet
    assert {card.alignment for card in cards.cards.values()} == {"loyalist", "traitor", "unaligned", None}
    assert {card.die for card in cards.cards.values()} == {1, 2, 3, 4, 5, 6, None}
    assert any(card.stats.get(name, 0) is None for card in cards.cards.values() for name in STATS)


def test_the_example_set_says_that_it_is_invented_and_where_its_borrowed_numbers_come_from() -> None:
    written = json.loads(read_example("example-cards.json"))
    assert "Invented" in written["source"]
    borrowed = [card for card in written["cards"] if "source" in card]
    assert len(borrowed) == 9
    assert all("rulebook's example" in card["source"] and "invented" in card["source"] for card in borrowed)


def test_ten_texts_of_the_example_set_cannot_be_read() -> None:
    texts = [ability for card in example().cards.values() for ability in card.texts]
    assert len([ability for ability in texts if ability.status != "full"]) == 10
    assert {ability.status for ability in texts} == {"full", "partial", "none"}


def test_every_form_of_the_grammar_stands_in_the_example_set(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    words: set[str] = set()
    tree_of = parts.tree_of

    def noted(part: Any, start: str) -> Any:
        tree = tree_of(part, start)
        used.update(str(one.data) for one in tree.iter_subtrees())
        words.update(str(token) for token in part)
        return tree

    monkeypatch.setattr(parts, "tree_of", noted)
    written = json.loads(read_example("example-cards.json"))
    card_set("again", "Again", written["cards"], str)
    parser, vocabulary = parts.language()
    forms = {str(rule.alias or rule.origin.name) for rule in parser.rules if not rule.origin.name.startswith("_")}
    # Rules that have but one child are not kept as a form of their own.
    forms -= {"clause", "cost", "static"}
    assert sorted(forms - used) == []
    assert sorted(set(vocabulary) - words) == []


def test_the_decks_that_come_with_the_program_are_legal_and_of_sixty() -> None:
    decks = [pack.made for pack in built_in().of_kind("deck").values()]
    assert len(decks) == 4 and Counter(one.side for one in decks) == {"loyalist": 2, "traitor": 2}
    for one in decks:
        assert one.size == 60
        assert deck_faults(one.side, one.cards, example()) == []


def test_the_texts_of_a_set_are_read_in_little_time_and_once() -> None:
    from auditor.systems.hcg.abilities import read

    parts.language()
    texts = [ability.text for card in example().cards.values() for ability in card.texts]
    assert len(texts) > 150
    started = time.process_time()
    for text in texts:
        read(text, example().keywords)
    assert time.process_time() - started < 0.3
    assert built_in() is built_in()


# -- schemas and headers ------------------------------------------------------------------------------------------


def test_the_shapes_are_published_as_schemas() -> None:
    assert SCHEMAS["cards"].schema["$schema"].startswith("https://json-schema.org/")
    written = json.loads(read_example("example-cards.json"))
    assert SCHEMAS["cards"].misfits(written) == []
    assert HEADER.misfits({"type": "header", "game": "hcg", "format": 1, "players": [{"id": "p1"}, {"id": "p2"}]}) == []


def header(**more: Any) -> bytes:
    return json.dumps(
        {"type": "header", "game": "hcg", "format": 1, "players": [{"id": "p1"}, {"id": "p2"}], **more}
    ).encode()


def test_a_header_names_its_card_set_or_carries_it() -> None:
    setup, wrong, used = setup_of(header(cards="hcg-example"), built_in())
    assert setup is not None and not wrong
    assert setup.cards is example() and [pack.id for pack in used] == ["hcg-example"]
    setup, wrong, used = setup_of(header(cards=[UNIT, SECTOR]), built_in())
    assert setup is not None and not wrong and not used and set(setup.cards.cards) == {"u1", "x1"}
    setup, wrong, _ = setup_of(
        header(cards={"id": "s", "title": "S", "source": "", "cards": [UNIT, SHIP, SHIP]}), built_in()
    )
    assert setup is not None and [misfit.path for misfit in wrong] == ["cards.cards[2].id"]
    setup, wrong, _ = setup_of(header(cards="hcg-exampl"), built_in())
    assert setup is not None and [misfit.nearest for misfit in wrong] == ["hcg-example"]
    setup, wrong, _ = setup_of(header(detail="terse", passes="implied"), built_in())
    assert setup is not None and setup.terse and setup.passes_implied and not setup.cards.cards
