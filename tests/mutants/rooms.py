"""Where the code that judges lies, and which tests hold each part of it to what it does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Room:
    """A part of the code.

    code    files and folders, as patterns below `auditor/`
    first   quick tests, which are called without pytest: modules, or functions of them as pytest names them
    then    further tests that should notice a change here, for pytest
    """

    name: str
    code: tuple[str, ...]
    first: tuple[str, ...]
    then: tuple[str, ...] = ()

    def files(self, root: Path = ROOT) -> list[Path]:
        """Its Python files, relative to the root, in the order of their names."""
        found = [path for pattern in self.code for path in (root / "auditor").glob(pattern)]
        files = {file for path in found for file in (path.rglob("*.py") if path.is_dir() else [path])}
        return sorted(file.relative_to(root) for file in files)


def _game(key: str, *more: str) -> tuple[str, ...]:
    return tuple(f"systems/{key}/{one}" for one in ("rules", "reckoning", "adopt*", *more))


def _examples(key: str, turns: str) -> tuple[str, ...]:
    silent, exact = "test_legal_play_is_silent_under_every_rule", "test_illegal_play_gives_exactly_what_was_expected"
    return tuple(f"tests/{key}/test_examples.py::{one}" for one in (silent, exact, turns))


def _planted(*names: str) -> list[str]:
    return [f"tests/mutants/planted.py::test_{name}_is_found_and_nothing_beside_it" for name in names]


def _damaged(game: str) -> tuple[str, ...]:
    """What is said of damaged examples of one game, and of those after an event that nobody knows."""
    damaged = ("a_line_lost_from_a_legal_record_accuses_nobody", "absurd_values_are_refused_or_audited_and_never_raise")
    return (
        *(f"tests/systems/test_damaged_examples.py::test_{name}[{game}]" for name in damaged),
        "tests/systems/test_in_doubt.py",
    )


CALTH = _examples("calth", "test_a_verdict_turns_on_its_reading")
INCHES = _examples("clx", "test_a_verdict_turns_on_its_reading")

ROOMS = (
    Room(
        "core",
        ("core",),
        (*(f"tests/core/{path.name}" for path in sorted((ROOT / "tests/core").glob("test_*.py"))), *CALTH),
    ),
    Room(
        "geometry of hexes",
        tuple(f"geometry/{one}.py" for one in ("compiled", "fans", "hexes", "lines", "paths")),
        (*(f"tests/geometry/test_{one}.py" for one in ("hexes", "lines", "paths", "compiled")), *CALTH),
        tuple(f"tests/geometry/test_{one}.py" for one in ("sight", "sight_batch", "properties")),
    ),
    Room(
        "geometry of inches",
        ("geometry/inches",),
        (
            *(
                f"tests/geometry/inches/test_{one}.py"
                for one in ("hairs", "lengths", "shapes", "sight", "moves", "whole_tables")
            ),
            *INCHES,
        ),
    ),
    Room(
        "Betrayal at Calth",
        _game("calth", "state.py", "answers.py", "sight.py", "shots.py", "effects.py"),
        (
            *(*CALTH, "tests/calth/test_causes.py::test_each_finding_names_exactly_its_roots"),
            "tests/calth/test_golden.py::test_the_audit_of_an_example_game_is_the_one_that_is_kept",
            "tests/calth/test_examples.py::test_legal_play_gives_the_notes_of_the_record_that_are_expected_and_no_other",
            *("tests/calth/test_sight_by_masks.py", "tests/calth/test_what_findings_say.py"),
            *("tests/conformance/test_differences.py", *_planted("a_fault_planted_in_calth")),
        ),
        ("tests/geometry/test_sight_batch.py",),
    ),
    Room(
        "the card game",
        _game("hcg", "position", "abilities"),
        (
            *(f"tests/hcg/test_{one}.py" for one in ("examples", "abilities", "battles", "fights", "games", "kept")),
            *(
                f"tests/hcg/test_{one}.py"
                for one in (
                    *("fields_left_out", "logs", "marks", "missing_facts", "other_names", "refills", "scopes"),
                    *("telling", "texts_in_play", "written_otherwise"),
                )
            ),
            *_planted("a_fault_planted_in_a_card_game", "a_fault_of_an_option_in_a_card_game"),
            "tests/mutants/planted.py::test_a_legal_card_game_is_clean",
        ),
        ("tests/hcg/test_state.py", "tests/systems/test_damaged_examples.py", "tests/systems/test_in_doubt.py"),
    ),
    Room(
        "Calixtus' Edition",
        _game("clx", "position", "tables.py", "tolerance.py"),
        (
            *INCHES,
            *(
                f"tests/clx/test_{one}.py"
                for one in (
                    "crossfire_checks",
                    "fields_left_out",
                    "holes",
                    "left_out",
                    "marks",
                    "one_slip",
                    "other_names",
                )
            ),
            *(
                f"tests/clx/test_{one}.py"
                for one in ("pictures_of_sides", "records", "scopes", "tables", "texts_examples", "tolerance")
            ),
            "tests/clx/test_relations.py::test_a_mirrored_table_gets_the_same_findings",
            "tests/clx/test_relations.py::test_claims_left_out_accuse_nobody",
            *_planted("a_fault_planted_in_inches", "a_fault_of_an_option_in_inches"),
            "tests/mutants/planted.py::test_a_legal_game_of_inches_is_clean",
        ),
        ("tests/report/test_funnel.py", *_damaged("clx")),
    ),
)
