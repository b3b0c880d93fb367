"""What is seen from each hex of both example boards: the auditor's numbers against those that the second referee wrote."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from auditor.conformance.calth import counts
from auditor.conformance.calth.board import Board
from auditor.conformance.calth.games import PACKS
from auditor.systems.calth.readings import READINGS
from auditor.systems.calth.sight import Sight
from tests.geometry.scenes import Asked
from tests.shares import WHOLE

FOLDER = Path(__file__).parents[2] / "fixtures" / "calth" / "counts"
BOARDS = sorted(path.stem for path in FOLDER.glob("*.json"))
TABLES = ("doors_as_the_pack_begins", "all_doors_open")
OPTIONS = [
    (reading.id, option.id)
    for reading in READINGS
    for option in reading.options
    if reading.id in counts.ABOUT_SIGHT and option.id != reading.default
]


def written(board):
    return json.loads((FOLDER / f"{board}.json").read_text())


def pack(board):
    return json.loads((PACKS / f"{board}.json").read_text())


class Ground:
    """A board pack as the auditor's sight takes it; one for each board, so that what it has worked out is kept."""

    def __init__(self, board):
        drawn = pack(board)
        kinds = {(h["q"], h["r"]): h.get("kind", "open") for h in drawn["hexes"]}
        self.hexes = sorted(h for h, kind in kinds.items() if kind != "blocked")
        self.sight = Sight(kinds, [h for h, kind in kinds.items() if kind == "blocked"])
        lines = [line for line in drawn["edges"] if line["feature"] == "obstruction"]
        self.obstructions = self.sight.edges((tuple(line["a"]), tuple(line["b"])) for line in lines)
        self.barricades = frozenset((tuple(line["hex"]), line["dir"]) for line in drawn["barricades"])


GROUNDS = {board: Ground(board) for board in BOARDS}


class Eye:
    """The auditor's sight on a board, counting as the files do."""

    def __init__(self, board, table, **options):
        there = GROUNDS[board]
        self.ground, self.sight = there.hexes, there.sight
        self.obstructions, self.barricades = there.obstructions, there.barricades
        self.sealed = self.sight.edges((tuple(a), tuple(b)) for a, b in table["sealed"])
        self.occupied = self.sight.hexes(map(tuple, table["occupied"]))
        self.ask = Asked(options)

    def row(self, start):
        found = Counter()
        doors = (self.sealed, self.obstructions, self.ask)
        for end in self.ground:
            if end == start:
                continue
            kind = self.sight.classify(start, end, self.occupied, *doors)
            found[kind] += 1
            if kind != "none":
                found[counts.BARRICADE[self.sight.barricade(start, end, kind, self.barricades, None, *doors)]] += 1
            away = self.sight.distance(start, end, self.occupied, *doors)
            found["no_route" if away is None else "distance_4_up" if away > 3 else f"distance_{away}"] += 1
        return {name: found[name] for name in counts.MEANS}

    def total(self):
        return counts.total([self.row(start) for start in self.ground])


def test_there_is_a_file_for_each_example_board():
    named = {json.loads(path.read_text()).get("board") for path in PACKS.glob("*.json")} - {None}
    assert len(named) == 2
    assert set(BOARDS) == named


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("board", BOARDS)
def test_the_auditor_sees_from_each_hex_what_the_file_says(board, table):
    file, drawn = written(board)["tables"][table], pack(board)
    doors = [line for line in drawn["edges"] if line["feature"] == "door"]
    assert len(file["sealed"]) == (0 if table == "all_doors_open" else sum(line.get("sealed", True) for line in doors))
    eye = Eye(board, file)
    assert [{"hex": list(start), **eye.row(start)} for start in eye.ground] == file["hexes"]
    assert eye.total() == file["total"]
    assert len(file["hexes"]) == written(board)["hexes"]


@pytest.mark.parametrize(("reading", "option"), OPTIONS)
@pytest.mark.parametrize("board", BOARDS)
def test_the_auditor_counts_alike_under_every_other_option(board, reading, option):
    file = written(board)["readings"]
    assert Eye(board, file, **{reading: option}).total() == file["other_options"][reading][option]


@pytest.mark.parametrize("board", BOARDS)
def test_the_auditor_counts_alike_on_a_crowded_board(board):
    file = written(board)["readings"]
    assert sum(len(options) for options in file["other_options"].values()) == len(OPTIONS)
    assert Eye(board, file).total() == file["defaults"]


def test_every_option_but_of_doors_nobody_stands_along_changes_some_count():
    files = [written(board)["readings"] for board in BOARDS]
    same = {
        (reading, option)
        for reading, option in OPTIONS
        if all(file["other_options"][reading][option] == file["defaults"] for file in files)
    }
    assert same == set()


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("board", BOARDS)
def test_the_second_referee_makes_rows_of_the_file_again(board, table):
    file, drawn = written(board)["tables"][table], Board.read(pack(board))
    sealed = {tuple(map(tuple, edge)) for edge in file["sealed"]}
    for entry in Random(f"{board} {table}").sample(file["hexes"], 3 if WHOLE else 1):
        assert {"hex": entry["hex"], **counts.row(drawn, tuple(entry["hex"]), sealed, (), {})} == entry


@pytest.mark.parametrize(("reading", "option"), OPTIONS)
def test_the_second_referee_counts_from_a_hex_alike_under_every_other_option(reading, option):
    rng = Random(f"{reading} {option}")
    board = rng.choice(BOARDS)
    file = written(board)["readings"]
    eye = Eye(board, file, **{reading: option})
    start = rng.choice(eye.ground)
    sealed = {tuple(map(tuple, edge)) for edge in file["sealed"]}
    occupied = set(map(tuple, file["occupied"]))
    assert counts.row(Board.read(pack(board)), start, sealed, occupied, {reading: option}) == eye.row(start)


def test_the_files_are_written_as_the_command_writes_them():
    for board in BOARDS:
        assert written(board)["made_by"] == counts.MADE_BY
        assert counts.as_text(written(board)) == (FOLDER / f"{board}.json").read_text()
