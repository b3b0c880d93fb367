"""What is said of the example games and kept of every example, held to docs/wording.md."""

from __future__ import annotations

import importlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from inspect import isclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from auditor.core.findings import Fault
from auditor.core.naming import NO_NAMES, Named, Names, in_plain_words, players_in, with_what_the_log_has
from auditor.engine import audit_log
from auditor.report.boards import Scene, View, draw
from tests.clx.examples import with_players
from tests.examples import Example, example, examples
from tests.report.overlaps import overlaps, written

ROOT = Path(__file__).parents[2]
FAULTY = sorted((ROOT / "fixtures").glob("*/games/faulty-*.jsonl"))
KEPT = ["calth", "hcg", "clx"]


@cache
def audit_of(path: Path | Example) -> dict[str, Any]:
    """The audit of a game or of an example, made once for the tests of this file."""
    return audit_log(path.read_bytes(), digest=False, causes=False)


def told(audit: dict[str, Any]) -> list[str]:
    """The sentences of what stands."""
    standing = [one for one in audit["findings"] if one["stands"]]
    found = [one["text"] for one in standing]
    for one in standing:
        found += [one["effect"]["text"], *(row["what"] for row in one["effect"]["changed"])]
        found += [chance["of"] for chance in one["effect"]["odds"]]
    return found


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_no_player_and_no_model_goes_by_a_bare_id_where_there_is_a_name(path: Path) -> None:
    log = path.read_bytes()
    header = json.loads(log.splitlines()[0])
    players = {one["id"] for one in header["players"] if one.get("name")}
    said = told(audit_of(path))
    assert said
    bare = (
        rf"(?<![\w.(\-])(?:{'|'.join(map(re.escape, sorted(players)))})(?![\w\-])" if header["game"] != "clx" else None
    )
    if header["game"] == "clx":
        # A and B are words as well: only where a player has to stand.
        does = "deploys|has|won|lost|wins|goes|caused|rolled|took|tried|chose"
        bare = rf"(?<![\w.(\-])[AB](?= (?:{does})\b)|\b(?:by|loser|winner|the turn of) [AB](?![\w\-])"
    models = (
        r"(?<![(\w])[a-z]{2}\.m\d+"
        if header["game"] == "clx"
        else r"(?<![(\w#])p[12]-\d+"
        if header["game"] == "hcg"
        else None
    )
    for sentence in said:
        if bare is not None:
            assert not re.search(bare, sentence), sentence
        if models is not None and header["game"] != "calth":
            assert not re.search(models, sentence), sentence


@pytest.mark.parametrize("game", KEPT)
def test_no_kept_sentence_has_two_signs_in_a_row_or_words_that_nobody_says_at_a_table(game: str) -> None:
    kept = json.loads((ROOT / "tests" / game / "words.json").read_text(encoding="utf-8"))
    lines = [line for lines in kept.values() for line in lines]
    assert len(lines) > 200
    for line in lines:
        assert not re.search(r"[-\u2212+] ?[-\u2212]\d", line.split(":", 1)[1].replace(",-", ",").replace(" -", " ")), (
            line
        )
        assert not re.search(r"\bUnder (?:O?R-[A-Z0-9-]+) as\b", line), line
        for reading in re.findall(r"(?<![(\w-])O?R-[A-Z][A-Z0-9-]+(?= (?:as|is|and)\b)", line):
            raise AssertionError(f"{reading} is named by its code alone: {line}")
        for word in (
            "had the say",
            "Not decidable",
            " dfd",
            "p1's",
            "held against nobody",
            "destroyed no",
            "destroyed yes",
            "changed nothing on the board",
            "takes it that not",
            "The target at ",
            "had it been so",
            "wrong itself",
        ):
            assert word not in line, line
        heading = line.split(" | ")[0]
        for word in (
            "is said to",
            "are said to",
            "by the record",
            "the record gives",
            "the record has",
            "the record says",
        ):
            assert " note: " in heading or " ambiguous: " in heading or word not in heading, line
        # An attack, a throw or a group of wounds by its name in the log tells a reader nothing.
        assert not re.search(r"(?:in attack|wounded by|shot of|[Pp]ool|\() ?[kgd]\d+p?\b", heading), line
        assert not re.search(
            r"The log says (?:[^.]* )?(?:\b1 (?:wounds|hits|dice|shots|attacks)\b|pen\b|glance\b)", heading
        ), line
        assert not re.search(r"\b\d+ [-\u2212] 0 =|(?<!\d)\b1 (?:warp charges|shots|TPs) (?:were|are)\b", heading), line
        assert not re.search(r"\b(?:shot|attacked|blocked|charged|assaulted); it ", line), line
        assert not re.search(r": [\d./ ]+ inch(?:es)? off\.", line), line
        assert not re.search(
            r" (?:illegal|miscalculated|omitted): (?:The dice give|Weapon Skill|Strength \d|With a)", line
        ), line


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_the_wrong_number_stands_in_the_heading(path: Path) -> None:
    for one in audit_of(path)["findings"]:
        claimed, right = one["claimed"], one["recomputed"]
        if not one["stands"] or one["kind"] != "miscalculated" or not isinstance(claimed, dict):
            continue
        for key, value in claimed.items():
            if key in right and right[key] != value and isinstance(value, int) and not isinstance(value, bool):
                assert str(abs(value)) in one["text"], one["text"]


@pytest.mark.parametrize("path", [path for path in FAULTY if "clx" in path.parts], ids=lambda path: path.stem)
def test_no_words_on_a_table_of_inches_lie_over_others_over_a_base_or_over_a_line(path: Path) -> None:
    looked = 0
    for one in audit_of(path)["findings"]:
        shown = one["evidence"] or {}
        boards = [(shown.get("before"), shown.get("marks") or (), shown.get("sight")), (shown.get("after"), (), None)]
        for board, marks, sight in boards:
            for size in ("near", "whole") if board else ():
                drawn = str(draw(Scene(board, marks, sight, shown.get("path") or ()), View(size=size)))
                assert not overlaps(drawn), (one["rule"], one["seq"], size)
                looked += len(written(drawn))
    assert looked > 100


def test_ids_become_names_and_are_left_alone_beside_one_or_where_they_are_words() -> None:
    names = Names(
        {
            "p1": Named("Renske"),
            "ja.m4": Named("Jump Ashen 4", beside=True),
            "is": Named("Ice"),
            "sv": Named("Vultures"),
        }
    )
    assert names("p1 moved ja.m4; p1-07 is hers, ja.m4 not.") == (
        "Renske moved Jump Ashen 4 (ja.m4); p1-07 is hers, Jump Ashen 4 not."
    )
    assert names("Vultures (sv) and sv") == "Vultures (sv) and Vultures"
    assert Names({})("p1 passed.") == "p1 passed."
    assert Names({"p1": Named("R" * 500)})("p1 passed.") == f"{'R' * 80} passed."


def test_a_heading_says_whose_a_thing_is_where_it_first_names_it() -> None:
    named = {
        "UM": Named("Ada"),
        "um-1": Named("um-1", of="UM"),
        "um-2": Named("um-2", of="UM"),
        "c-1": Named("Riders", beside=True, of="WB"),
        "sv": Named("Vultures", of="WB"),
        "hw": Named("Watch", of="UM"),
        "ow": Named("Watch", of="WB"),
    }
    heading = Names(named, {"UM": "Ada", "WB": "Ben"}).heading
    assert heading("um-1 and um-2 met Riders (c-1), and Riders (c-1) sv.") == (
        "Ada's um-1 and um-2 met Ben's Riders (c-1), and Riders (c-1) Vultures."
    )
    assert heading("UM moved um-1.") == "Ada moved um-1."
    assert heading("Vultures 2 left Vultures.") == "Ben's Vultures 2 left Vultures."
    assert heading("hw moved.") == "Watch moved."  # Both have one of that name.
    boarders = {**named, "c-2": Named("Benders", beside=True, of="UM")}
    assert Names(boarders, {"UM": "Ada", "WB": "Ben"}).heading("Benders (c-2) met sv.") == (
        "Ada's Benders (c-2) met Ben's Vultures."
    )
    assert Names(named, {})("um-1 met sv.") == Names(named, {}).heading("um-1 met sv.") == "um-1 met Vultures."


@pytest.mark.parametrize(
    ("text", "claimed", "right", "said"),
    [
        (
            "It fails.",
            {"modifier": -2, "passed": False},
            {"modifier": -1, "passed": False},
            "It fails. The log says a modifier of \u22122.",
        ),
        ("It is 5, not 4.", {"pool": 4}, {"pool": 5}, "It is 5, not 4."),
        ("It reaches.", {"success": False}, {"success": True}, "It reaches. The log says it failed."),
        ("There are 3.", 4, 3, "There are 3. The log says 4."),
        ("Day.", True, False, "Day."),
    ],
)
def test_the_value_of_the_log_is_added_where_a_sentence_lacks_it(
    text: str, claimed: Any, right: Any, said: str
) -> None:
    assert with_what_the_log_has(text, claimed, right) == said


def test_who_is_not_stated_is_somebody() -> None:
    """Where a line does not say who acted, no sentence has the word that Python has for it."""
    assert NO_NAMES("None shot at um-1. None is left.") == "Somebody shot at um-1. Somebody is left."
    assert NO_NAMES("The critical effect of None adds 1 die.") == "The critical effect of somebody adds 1 die."
    for said in ("“None” (None)", "None of the 2 dice succeeded."):
        assert NO_NAMES(said) == said
    log = example("calth", "CAL-OBS-01/illegal").log
    for event in log["events"]:
        event.pop("attacker", None)
    told = audit_log(json.dumps(log).encode(), digest=False)["findings"]
    assert any(finding["text"].startswith("Somebody at 0,0 shot at Ben's wb-1") for finding in told)


NOBODYS = {
    "calth": {
        "CAL-RDY-02": "a unit of no known name, which the log gives TPs, is neither player's",
        "CAL-SET-03": "a door that the scenario moves is moved by neither player",
        "CAL-WAR-02": "where both players roll for the initiative, the log does not say whose dice were rolled again",
    },
    "clx": {
        "CLX-GAME-04": "a game that goes on or ends is neither player's act",
        "CLX-GAME-08": "day and night are neither player's act",
        "CLX-LOG-03": "the dice of both players may stand in one line",
        "CLX-PSY-08": "the casting level of a power stands in the pack that both brought",
        "CLX-PSY-09": "the psyker is not named, nor is the player",
    },
    "hcg": {"HCG-DOC-04": "a turn, a battle or a battle action that is numbered wrongly is neither player's act"},
}
"""Game -> rules whose headings name no player, each with the reason. They say what the log has."""


@cache
def examples_of(game: str) -> dict[str, Example]:
    """The examples of a game, as kept words name them."""
    return {str(one): one for one in examples(game)}


def players_of(game: str, name: str) -> dict[str, str]:
    """The names of an example's players by their ids."""
    log = examples_of(game)[name].log
    return players_in(with_players(log)["header"] if game == "clx" else log["header"])


def any_of(names: Iterable[str]) -> re.Pattern[str]:
    """What finds one of these names as a word."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")


@pytest.mark.parametrize("game", sorted(NOBODYS))
def test_the_heading_of_an_accusation_names_a_player(game: str) -> None:
    """The first sentence of it, which a page shows as the title of a row, of every example."""
    kept = json.loads((ROOT / "tests" / game / "words.json").read_text(encoding="utf-8"))
    looked, nameless = 0, set()
    for name, lines in kept.items():
        someone = any_of(players_of(game, name).values())
        for line in lines:
            found = re.match(r"\d+ (\S+) (?:illegal|miscalculated|omitted): (.+?)(?:\. |\.?$)", line.split(" | ")[0])
            if found is None:
                continue
            looked += 1
            rule, heading = found.groups()
            if not someone.search(heading):
                assert rule in NOBODYS[game] and "the log" in heading.lower(), f"{name}: {rule}: {heading}"
                nameless.add(rule)
    assert looked > 200
    assert nameless == set(NOBODYS[game]), "a rule that names a player needs no reason for naming none"


OF_ANOTHER = {"CLX-MISC-01/illegal-second-die": "the line of one player has a test of the other's unit, which it names"}
"""Examples whose sentences need not name the player who is accused, each with the reason."""


@pytest.mark.parametrize("game", KEPT)
def test_a_sentence_that_accuses_a_player_names_that_player(game: str) -> None:
    """Not only the other one, of every example. Who is accused stands in what the example expects."""
    kept = json.loads((ROOT / "tests" / game / "words.json").read_text(encoding="utf-8"))
    looked = 0
    for name, lines in kept.items():
        names, accused = players_of(game, name), accused_in(game, name)
        for line in lines:
            found = re.match(r"(\d+ \S+ (?:illegal|miscalculated|omitted)): (.+)", line.split(" | ")[0])
            players = set() if found is None else {names[one] for one in accused[found[1]] if one is not None}
            if found is not None and players and name not in OF_ANOTHER:
                assert any_of(players).search(found[2]), f"{name}: {sorted(players)}: {line}"
                looked += 1
    assert looked > 200


def accused_in(game: str, name: str) -> dict[str, set[str | None]]:
    """Who is accused in an example, by the number of the event, the rule and the kind, as lines of kept words begin."""
    found: dict[str, set[str | None]] = defaultdict(set)
    for one in (examples_of(game)[name].expected or {}).get("findings", ()):
        found[f"{one['seq']} {one['rule']} {one['kind']}"].add(one.get("player"))
    return found


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_in_a_whole_game_a_sentence_that_accuses_a_player_names_that_player(path: Path) -> None:
    names = players_in(json.loads(path.read_bytes().splitlines()[0]))
    accusing = [one for one in audit_of(path)["findings"] if one["kind"] != "ambiguous" and one["player"] is not None]
    assert accusing
    for one in accusing:
        assert names[one["player"]] in one["text"], (one["rule"], one["seq"], one["player"], one["text"])


@pytest.mark.parametrize(
    "log",
    [*FAULTY, example("clx", "CLX-MOVE-04/illegal-sum")],
    ids=lambda log: log.stem if isinstance(log, Path) else log.name,
)
def test_the_parts_of_a_number_add_up_to_it(log: Path | Example) -> None:
    """They are said as a sum: of dice of which the higher counts, each is a number of its own."""
    figures = [figure for finding in audit_of(log)["findings"] for figure in finding["figures"]]
    assert figures
    for figure in figures:
        parts = [str(part["value"]) for part in figure["parts"]]
        if parts and all(re.fullmatch(r"-?\d+", one) for one in (str(figure["value"]), *parts)):
            assert sum(map(int, parts)) == int(figure["value"]), figure


def options_of(kind: Any) -> Iterator[str]:
    """The words that a field may take."""
    if get_origin(kind) is Literal:
        yield from (one for one in get_args(kind) if isinstance(one, str))
    else:
        for one in get_args(kind):
            yield from options_of(one)


@pytest.mark.parametrize("game", KEPT)
def test_a_word_of_a_log_that_is_joined_by_a_sign_is_said_without_it(game: str) -> None:
    records = importlib.import_module(f"auditor.systems.{game}.records")
    structs = [one for one in vars(records).values() if isclass(one) and issubclass(one, msgspec.Struct)]
    joined = {
        word
        for one in structs
        for kind in get_type_hints(one, include_extras=True).values()
        for word in options_of(kind)
        if "_" in word
    }
    assert joined and not [word for word in joined if "_" in in_plain_words(word)]


def test_a_remedy_is_suggested_for_every_kind_of_fault_and_says_which_way_dice_were_wrong() -> None:
    from auditor.systems.guide import remedy

    for game in KEPT:
        for kind in ("illegal", "miscalculated", "omitted"):
            found = remedy(f"auditor.systems.{game}", Fault("X-Y-01", kind, "x"))  # type: ignore[arg-type]
            assert found["code"] and found["text"].endswith(".")
    many = remedy(
        "auditor.systems.clx", Fault("CLX-SHOOT-08", "miscalculated", "x", claimed={"dice": 4}, recomputed={"dice": 3})
    )
    few = remedy(
        "auditor.systems.clx", Fault("CLX-SHOOT-08", "miscalculated", "x", claimed={"dice": 3}, recomputed={"dice": 4})
    )
    assert many["code"] == few["code"] == "GP-2"
    assert many["text"].startswith("Take") and few["text"].startswith("Roll")


@pytest.mark.parametrize("game", KEPT)
def test_no_kept_sum_is_untrue(game: str) -> None:
    """A number that is said as a sum is the sum of its parts."""
    kept = json.loads((ROOT / "tests" / game / "words.json").read_text(encoding="utf-8"))
    part = r"\d+ [^\d=+\u2212;:,.|][^=+\u2212;:,.|]*?"
    sums = 0
    for line in (line for lines in kept.values() for line in lines):
        for total, said in re.findall(rf"(?<![\d-])(\d+) = ({part}(?: [+\u2212] {part})+)(?:[;:,.|]|$)", line):
            terms = re.findall(r"(^|[+\u2212]) ?(\d+) ", said)
            assert int(total) == sum(-int(n) if sign == "\u2212" else int(n) for sign, n in terms), line
            sums += 1
    assert sums or game == "clx"
