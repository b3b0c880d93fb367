"""What a command is given: files, rulings, data packs, the key of a game. All that is wrong is said at once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.cli.calls import WrongCall

if TYPE_CHECKING:
    from auditor.ingest import Pack
    from auditor.systems import Game


WHICH_GAME = "The game; not needed while one alone has this."


def prepared(
    logs: Sequence[str], rulings: Path | None, packs: Sequence[Path], output: Path | None
) -> tuple[dict[str, Any] | None, list[Pack]]:
    """The rulings and the data packs. Raises WrongCall with everything that is wrong with the call."""
    from auditor.ingest import BadPacks, read_packs

    problems = [f"{path}: {why}" for path in logs if path != "-" and (why := why_unreadable(Path(path)))]
    given: dict[str, Any] | None = None
    if rulings is not None:
        try:
            given = read_rulings(rulings)
        except WrongCall as wrong:
            problems += wrong.problems
    found: list[Pack] = []
    if packs:
        try:
            found = read_packs(packs)
        except BadPacks as bad:
            problems += [f"--pack: {error}" for error in bad.errors]
    if output is not None and not output.parent.is_dir():
        problems.append(f"--output {output}: there is no folder {output.parent}")
    if problems:
        raise WrongCall(*problems)
    return given, found


def why_unreadable(path: Path) -> str | None:
    """Why a file or folder cannot be opened; None where it can."""
    try:
        if path.is_dir():
            next(path.iterdir(), None)
        elif path.exists() and not path.is_file():
            # A pipe: whoever opens and closes it takes what is in it.
            return None if os.access(path, os.R_OK) else "Permission denied"
        else:
            with path.open("rb"):
                pass
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)
    return None


def read_rulings(path: Path) -> dict[str, Any]:
    """The rulings of a file. Raises WrongCall with everything that is wrong with them."""
    from auditor import engine
    from auditor.core.rulings import BadRulings
    from auditor.systems.shapes import keys_twice

    given = read_json(path, "--rulings ")
    if not isinstance(given, dict):
        raise WrongCall(f"--rulings {path}: a rulings set is an object")
    problems = [f"{key} is given twice" for key in keys_twice(given)]
    game = ""
    try:
        game = engine.game_of_rulings(given)
    except BadRulings as bad:
        problems += bad.problems
    if problems:
        raise WrongCall(*(f"--rulings {path}: {problem}" for problem in problems))
    given = {key: value for key, value in given.items() if key != "game"}
    if "name" not in given and {"readings", "settings", "not_audited"} & given.keys():
        given = {"name": path.stem, **given}
    elif "name" not in given and given:
        given = {"name": path.stem, "readings": given}
    return {"game": game, **given}


def read_json(path: Path, option: str = "") -> Any:
    """The JSON of a file. Raises WrongCall."""
    from auditor.systems.shapes import parse

    try:
        return parse(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise WrongCall(f"{option}{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise WrongCall(f"{option}{path}: it is not UTF-8") from None
    except json.JSONDecodeError as error:
        why = f"{option}{path}: line {error.lineno}, column {error.colno}: it is not JSON ({error.msg})"
        raise WrongCall(why) from None
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"{option}{path}: it is not JSON ({error})") from None


def never_over(output: Path | None, inputs: Iterable[Path]) -> None:
    """Raise WrongCall where what is to be written would stand in the place of what is read, by whatever name: a file
    given, or a log in a folder given."""
    if output is None or not output.is_file():
        return
    for given in inputs:
        if str(given) == "-" and os.path.samestat(os.fstat(0), output.stat()):
            raise WrongCall(f"--output {output}: it is stdin, which is read; nothing was written")
        if given.is_file() and given.samefile(output):
            raise WrongCall(f"--output {output}: it is {given}, which is read; nothing was written")
        if given.is_dir() and output.resolve().is_relative_to(given.resolve()) and _is_read(output):
            raise WrongCall(f"--output {output}: it is among what is read in {given}; nothing was written")


def _is_read(path: Path) -> bool:
    """Whether a file in a folder is read as a log or a data pack."""
    from auditor.ingest import kinds

    with path.open("rb") as file:
        head = kinds.head_of(file.read(kinds.HEAD))
    name = path.name
    if name.lower().endswith(".csv"):
        return b"log_sha256" not in head  # that is our own list of findings, which may be written anew
    return kinds.is_named_like_a_log(name) or kinds.is_named_like_json(name) or kinds.may_be_log(head)


def foreign(packs: Iterable[Pack], games: Collection[str | None], what: str) -> list[str]:
    """The packs that are of none of some games, a sentence each; `what` says whose games those are."""
    return [
        f'--pack: "{pack.id}" is a {pack.kind} of {pack.game}, and {what}' for pack in packs if pack.game not in games
    ]


def game_with(game: str | None, lacks: Callable[[Game], bool], what: str) -> Game:
    """The game asked for, else the only one that has something. Raises WrongCall; `what` is what it has not."""
    from auditor import systems

    if game is not None:
        found = systems.game(games_of(game)[0])
        if lacks(found):
            raise WrongCall(f"{game} has no {what}")
        return found
    having = [key for key in systems.game_keys() if not lacks(systems.game(key))]
    if len(having) != 1:
        raise WrongCall(f"say which game is meant: --game {'|'.join(having)}" if having else f"no game has a {what}")
    return systems.game(having[0])


def games_of(game: str | None) -> list[str]:
    """The keys of all games, or of the one asked for. Raises WrongCall."""
    from auditor.core.nearest import nearest
    from auditor.systems import game_keys

    if game is None:
        return list(game_keys())
    if game not in game_keys():
        raise WrongCall(f'there is no game "{game}"{nearest(game, game_keys())}; there is {", ".join(game_keys())}')
    return [game]
