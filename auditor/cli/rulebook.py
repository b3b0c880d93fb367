"""`auditor rules`, `readings` and `schema`: what the games are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from auditor.cli.calls import CLEAN, WrongCall, command
from auditor.cli.inputs import games_of
from auditor.cli.output import ListFormat, print_json, to_stdout


@command
def rules(
    rule_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One rule, in full.")] = None,
    game: Annotated[str | None, typer.Option(help="The rules of this game only.")] = None,
    format: Annotated[ListFormat, typer.Option(help="What to write.")] = ListFormat.text,
) -> int:
    """List the rules, or show one in full."""
    from auditor import engine
    from auditor.core.nearest import nearest

    by_game: dict[str, list[dict[str, Any]]] = {}
    for key in games_of(game):
        by_game[key] = engine.rules(key)
        if any(rule["id"] == rule_id for rule in by_game[key]):
            break  # so that the rules of the other games are not loaded for it
    found = [rule for of_game in by_game.values() for rule in of_game]
    if rule_id is not None:
        known = [rule["id"] for rule in found]
        found = [rule for rule in found if rule["id"] == rule_id]
        if not found:
            raise WrongCall(f'there is no rule "{rule_id}"{nearest(rule_id, known)}')
    if format is ListFormat.json:
        print_json(found)
    elif rule_id is not None:
        to_stdout(_rule_in_full(found[0]))
    else:
        for key, of_game in by_game.items():
            _list_rules(of_game, engine.caveat(key))
    return CLEAN


def _list_rules(found: list[dict[str, Any]], caveat: str) -> None:
    """The rules of a game under their chapters, after what has to be known of their audits."""
    if caveat:
        to_stdout(f"{caveat}\n")
    chapter = None
    for rule in found:
        if rule["chapter"] != chapter:
            chapter = rule["chapter"]
            to_stdout(f"{chapter}\n")
        mark = "" if rule["auditable"] is True else "  (no log can show it)"
        to_stdout(f"  {rule['id']}  {rule['title']}{mark}\n")


def _rule_in_full(rule: Mapping[str, Any]) -> str:
    rows = [f"{rule['id']}  {rule['title']}", "", rule["text"], ""]
    rows += [
        f"{name}: {', '.join(rule[key])}"
        for name, key in (("Kinds", "kinds"), ("Events", "events"), ("Readings", "readings"))
        if rule[key]
    ]
    if rule["auditable"] is not True:
        rows.append(f"Not auditable from any log: {rule['auditable']}")
    rows += [f"Chapter: {rule['chapter']}", f"Source: {rule['source']}"]
    return "\n".join(rows) + "\n"


@command
def readings(
    game: Annotated[str | None, typer.Option(help="The readings of this game only.")] = None,
    format: Annotated[ListFormat, typer.Option(help="What to write.")] = ListFormat.text,
) -> int:
    """List the open questions of the rules.

    A star marks the option that is in force if nobody rules.
    """
    from auditor import engine

    found = [reading for key in games_of(game) for reading in engine.readings(key)]
    if format is ListFormat.json:
        print_json(found)
        return CLEAN
    for n, reading in enumerate(found):
        to_stdout(f"{chr(10) if n else ''}{reading['id']}  {reading['question']}\n")
        for option in reading["options"]:
            mark = "*" if option["id"] == reading["default"] else " "
            to_stdout(f"  {mark} {option['id']}: {option['means']}\n")
        if reading["rules"]:
            to_stdout(f"    asked by {', '.join(reading['rules'])}\n")
    return CLEAN


@command
def schema(
    game: Annotated[str, typer.Argument(help="The game, as its logs name it: calth, …")],
    pack: Annotated[str | None, typer.Option(metavar="KIND", help="The schema of its data packs of this kind.")] = None,
    table: Annotated[bool, typer.Option("--table", help="The fields of its logs as a table in Markdown.")] = False,
) -> int:
    """Print the JSON Schema of the logs of a game, or of its data packs of one kind."""
    from auditor import engine, systems
    from auditor.core.nearest import nearest

    key = games_of(game)[0]
    if table:
        to_stdout(engine.table(key))
        return CLEAN
    if pack is None:
        print_json(engine.schema(key))
        return CLEAN
    kinds = systems.game(key).packs.kinds
    if pack not in kinds:
        raise WrongCall(
            f'{key} has no data packs of the kind "{pack}"{nearest(pack, kinds)}; it has {", ".join(kinds)}'
        )
    print_json(engine.schema(key, pack))
    return CLEAN
