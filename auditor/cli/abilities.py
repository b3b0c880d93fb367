"""`auditor abilities`: how the texts of a card set were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.cli.calls import CLEAN, WrongCall, command
from auditor.cli.output import ListFormat, print_json, to_stdout

if TYPE_CHECKING:
    from auditor.systems.hcg.abilities.shapes import Ability
    from auditor.systems.hcg.packs import Card, CardSet


@command
def abilities(
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="A file with a card set, or the id of a built-in one.")],
    format: Annotated[ListFormat, typer.Option(help="What to write.")] = ListFormat.text,
    unread: Annotated[bool, typer.Option("--unread", help="Only the texts that were not read in full.")] = False,
) -> int:
    """Show how each printed text of a card set was read, and the words that were not understood.

    Of the card game. What is not understood is not checked: its effect is taken from the log.
    """
    for card_set in _sets(cards):
        shown = [
            (card, where, ability)
            for card in card_set.cards.values()
            for where, ability in texts_of(card)
            if ability.status != "full" or not unread
        ]
        if format is ListFormat.json:
            print_json(_as_json(card_set, shown))
        else:
            for line in _as_text(card_set, shown):
                to_stdout(f"{line}\n")
    return CLEAN


def _sets(cards: str) -> list[CardSet]:
    """The sets of a file, or the one built in. Raises WrongCall with everything that is wrong with the file."""
    from auditor import systems
    from auditor.core.nearest import nearest
    from auditor.systems.packs import BadPacks, check

    game = systems.game("hcg")
    known = game.built_in_packs
    built_in = known.find("cards", cards)
    if built_in is not None:
        return [built_in.made]
    path = Path(cards)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WrongCall(f"{cards}: {error.strerror}{nearest(cards, known.of_kind('cards'))}") from None
    try:
        found = check([(path.name, data)], {game.key: game.packs}, lambda key: known)
    except BadPacks as bad:
        raise WrongCall(*map(str, bad.errors)) from None
    sets = [pack.made for pack in found if pack.kind == "cards"]
    if not sets:
        raise WrongCall(f"{cards}: it holds no card set")
    return sets


def texts_of(card: Card) -> Iterator[tuple[str, Ability]]:
    """The texts of a card with the place of each: "box 1", "line"."""
    for number, ability in enumerate(card.abilities, 1):
        yield f"box {number}", ability
    if card.line is not None:
        yield "line", card.line


def _counts(card_set: CardSet) -> Counter[str]:
    return Counter(ability.status for card in card_set.cards.values() for ability in card.texts)


def _as_text(card_set: CardSet, shown: list[tuple[Card, str, Ability]]) -> Iterator[str]:
    from auditor.report.hostile import one_line

    last = None
    for card, where, ability in shown:
        if card is not last:
            yield f"{one_line(card.id)}  {one_line(card.title)}"
            last = card
        yield f"  {where:<6} {ability.status:<8} {one_line(ability.text)}"
        for part, span in parts_of(ability):
            yield f"    {part:<22} {one_line(ability.words(span))}"
        words = [one_line(ability.words(word)) for one in ability.unread for word in one.words]
        if words:
            yield "    not understood:        " + ", ".join(words)
    counts = _counts(card_set)
    total = sum(counts.values())
    share = f" ({100 * counts['full'] / total:.1f} %)" if total else ""
    yield (
        f"{one_line(card_set.id)}: {len(card_set.cards)} cards, {total} texts: {counts['full']} read in full{share}, "
        f"{counts['partial']} in part, {counts['none']} not at all"
    )
    for warning in card_set.warnings:
        yield f"warning: {one_line(warning.path)}: {one_line(warning.found)}; expected {one_line(warning.expected)}"


def parts_of(ability: Ability) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each part of a text that was read, in words, with its place."""
    if ability.trigger is not None and ability.trigger.what != "raw":
        yield f"trigger: {ability.trigger.what}", ability.trigger.at
    for cost in ability.costs:
        if cost.op != "raw":
            yield f"cost: {cost.op}", cost.at
    for effect in ability.effects:
        if effect.op != "raw":
            yield f"effect: {effect.op}", effect.at
    for condition in ability.conditions:
        if condition.what != "raw":
            yield f"condition: {condition.what}", condition.at
    if ability.x is not None and ability.x.what != "raw":
        yield f"X: {ability.x.what}", ability.x.at


def _as_json(card_set: CardSet, shown: list[tuple[Card, str, Ability]]) -> dict[str, Any]:
    import msgspec

    counts = _counts(card_set)
    return {
        "set": card_set.id,
        "cards": len(card_set.cards),
        "texts": sum(counts.values()),
        "full": counts["full"],
        "partial": counts["partial"],
        "none": counts["none"],
        "abilities": [
            {
                "card": card.id,
                "where": where,
                **msgspec.to_builtins(ability),
                "not_understood": [ability.words(word) for one in ability.unread for word in one.words],
            }
            for card, where, ability in shown
        ],
    }
