"""`auditor generate` and `mutate`: invented games, legal or with a fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.cli.calls import CLEAN, WrongCall, command
from auditor.cli.inputs import WHICH_GAME, game_with, never_over, why_unreadable
from auditor.cli.output import to_stdout

if TYPE_CHECKING:
    from auditor.conformance.inventor import Inventor
    from auditor.systems import Game


@command
def generate(
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the log.")],
    seed: Annotated[int, typer.Option(help="The same number gives the same game.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, max=50, help="How long it is.")] = 4,
    board: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A board pack; else the board is invented.")
    ] = None,
    omit_claims: Annotated[float, typer.Option(min=0, max=1, help="The share of claims that are left out.")] = 0.0,
    fault: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Plant one fault, and say beside the log what must be found; R=OPTION: what is one under this option only.",
        ),
    ] = None,
    reading: Annotated[
        list[str] | None, typer.Option(metavar="R=OPTION", help="A reading that the game is played under.")
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="KEY", help=WHICH_GAME)] = None,
) -> int:
    """Write an invented game.

    It is legal, or has the one fault asked for: the referee that plays it shares no code with the auditor.
    """
    from auditor.conformance.inventor import CannotInvent

    one = _with_a_generator(game)
    inventor = one.inventor()
    if board is not None and (why := why_unreadable(board)):
        raise WrongCall(f"--board {board}: {why}")
    if not output.parent.is_dir():
        raise WrongCall(f"--output {output}: there is no folder {output.parent}")
    read = [] if board is None else [board]
    for written in (output, output.with_suffix(".expected.json")):
        never_over(written, read)
    under = _options_of(one.key, reading or [])
    if fault is None:
        try:
            events = inventor.write_game(seed, rounds, board, output, omit_claims, under)
        except CannotInvent as why_not:
            raise WrongCall(str(why_not)) from None
        to_stdout(f"{output}: {events} events\n")
        return CLEAN
    if board is not None or omit_claims or under:
        raise WrongCall("a game with a fault has an invented board, makes all its claims and names its own readings")
    try:
        beside = inventor.write_faulty_game(seed, _planter(inventor, fault), output)
    except CannotInvent as why_not:
        raise WrongCall(f"--fault {fault}: {why_not}; another --seed may give one") from None
    to_stdout(f"{output}: what must be found in it is in {beside}\n")
    return CLEAN


@command
def mutate(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A legal log.")],
    rule: Annotated[
        str,
        typer.Option(metavar="RULE", help="The rule to be broken; R=OPTION: the option to be judged under instead."),
    ],
    output: Annotated[Path, typer.Option(metavar="FILE", help="Where to write the copy with the fault.")],
    reading: Annotated[
        list[str] | None, typer.Option(metavar="R=OPTION", help="A reading that the copy is played under.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same number gives the same fault.")] = 1,
    game: Annotated[str | None, typer.Option(metavar="KEY", help="The game; else that of the log.")] = None,
) -> int:
    """Change one event of a legal log, or end it with an act, so that exactly one rule is broken, and say beside it what must be found."""
    from auditor import engine
    from auditor.conformance.inventor import CannotInvent

    if why := why_unreadable(log):
        raise WrongCall(f"{log}: {why}")
    its_own = engine.log_header(log.read_bytes()).get("game")
    if game is None and its_own in engine.GAMES:
        game = its_own
    if game is not None and its_own not in (None, game):
        raise WrongCall(f"{log}: it is a log of {its_own}, and --game says {game}")
    one = _with_a_generator(game)
    inventor = one.inventor()
    fault = _planter(inventor, rule)
    if not output.parent.is_dir():
        raise WrongCall(f"--output {output}: there is no folder {output.parent}")
    for written in (output, output.with_suffix(".expected.json")):
        never_over(written, [log])
    under = _options_of(one.key, reading or [])
    try:
        beside = inventor.write_mutated_game(log, fault, seed, output, under)
    except CannotInvent as why_not:
        raise WrongCall(
            f"{log}: {why_not}; a game with this fault is written by "
            f"auditor generate --game {one.key} --fault '{fault}' --seed {seed} --output FILE"
        ) from None
    to_stdout(f"{output}: what must be found in it is in {beside}\n")
    return CLEAN


def _with_a_generator(game: str | None) -> Game:
    return game_with(game, lambda one: one.load_inventor is None, "generator of games")


def _options_of(game: str, given: Sequence[str]) -> dict[str, str]:
    """Readings with their options, each given as READING=OPTION. Raises WrongCall."""
    from auditor import engine
    from auditor.core.nearest import nearest

    known = {one["id"]: [option["id"] for option in one["options"]] for one in engine.readings(game)}
    under: dict[str, str] = {}
    for one in given:
        name, equals, chosen = one.partition("=")
        if not equals:
            raise WrongCall(f"--reading {one}: it is not of the form READING=OPTION")
        if name not in known:
            raise WrongCall(f'--reading {one}: there is no reading "{name}"{nearest(name, known)}')
        if chosen not in known[name]:
            raise WrongCall(f"--reading {one}: {name} has the options {', '.join(known[name])}")
        under[name] = chosen
    return under


def _planter(inventor: Inventor, fault: str) -> str:
    """The name of a planter. Raises WrongCall."""
    from auditor.core.nearest import nearest

    known = (*inventor.plantable, *inventor.plantable_readings)
    if fault in known:
        return fault
    if fault in inventor.never:
        raise WrongCall(f"nothing is a fault under {fault} alone: {inventor.never[fault]}")
    of_the_rule = [name for name in known if name.replace("=", " ").split()[0] == fault]
    if of_the_rule:
        return of_the_rule[0]
    raise WrongCall(f'no fault called "{fault}" can be planted{nearest(fault, known)}')
