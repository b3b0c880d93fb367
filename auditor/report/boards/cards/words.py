"""A board of cards in words: where cards lie, whose turn it is, which windows are open, what differs between two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from auditor.report.boards.cards.hands import zones_that_differ
from auditor.report.boards.cards.table import (
    cards_of,
    fought,
    listing,
    mapping,
    name_of,
    placed,
    players,
    sectors,
    unknown_in,
)
from auditor.report.boards.kind import Scene
from auditor.report.boards.pen import Board, Mark
from auditor.report.words import label, listed

MOST = 8
"""So many changes are told one by one."""


def interest(scene: Scene) -> list[Any]:
    """The slots of the sectors that a scene is about."""
    meant = [mark.get(key) for mark in scene.marks for key in ("card", "from", "to")]
    found = [
        sector.get("slot")
        for sector in sectors(scene.board)
        if any(card.get("card") in meant for row in mapping(sector.get("rows")).values() for card in cards_of(row))
    ]
    now = fought(scene.board)
    return [now] if now is not None and now not in found and not found else found


def card_words(card: Mapping[str, Any]) -> str:
    """'Bolter squad, locked', 'a card face down'."""
    stance = card.get("position")
    words = [name_of(card)]
    if card.get("face") == "down":
        words.append("face down")
    if stance not in (None, "ready"):
        words.append(str(stance))
    return ", ".join(words)


def row_words(row: Any) -> str:
    names = [card_words(card) for card in cards_of(row)]
    n = unknown_in(row)
    if n:
        names.append(f"{n} unknown {'card' if n == 1 else 'cards'}")
    return "; ".join(names) or "no cards"


def description(scene: Scene) -> str:
    board = scene.board
    said = []
    for sector in sectors(board):
        rows = ". ".join(f"{player}: {row_words(row)}" for player, row in mapping(sector.get("rows")).items())
        said.append(f"{sector_words(sector)}. {rows}")
    for player, zones in mapping(board.get("zones")).items():
        fleet = mapping(zones).get("fleet")
        if cards_of(fleet):
            said.append(f"Fleet of {player}: {row_words(fleet)}")
    said += [window_words(window) for window in listing(board.get("windows")) if isinstance(window, Mapping)]
    said += [mark_words(mark) for mark in scene.marks]
    return ". ".join(said) + "." if said else "An empty table."


def sector_words(sector: Mapping[str, Any]) -> str:
    """'Sector 2, Gate of Ash: 4 flags are required; taken by A'."""
    title, slot = sector.get("title"), f"Sector {sector.get('slot')}"
    said = slot + (f", {title}" if title and title != slot else "")
    if sector.get("requirement") is not None:
        said += f": {sector['requirement']} flags are required"
    if sector.get("by") is not None:
        said += f"; taken by {sector['by']}"
    return said


def window_words(window: Mapping[str, Any]) -> str:
    """'Window for tactics: A may act; 1 pass; events 14, 15'."""
    said = [f"Window for {label(str(window.get('kind')))}: {window.get('next')} may act"]
    passes = window.get("passes")
    if isinstance(passes, int) and passes:
        said.append(f"{passes} {'pass' if passes == 1 else 'passes'} in a row")
    entries = listing(window.get("entries"))
    if entries:
        said.append(f"{'event' if len(entries) == 1 else 'events'} {listed([str(entry) for entry in entries])}")
    return "; ".join(said)


def battle_words(board: Board) -> str:
    """'Battle at sector 2, battle step, B has the next action'."""
    battle = mapping(board.get("battle"))
    if not battle:
        return ""
    said = [f"Battle at sector {battle.get('sector')}"]
    if battle.get("step"):
        said.append(f"{label(str(battle['step']))} step")
    if battle.get("next"):
        said.append(f"{battle['next']} has the next action")
    if isinstance(battle.get("passes"), int) and battle["passes"]:
        said.append(f"{battle['passes']} in a row passed")
    return ", ".join(said)


def _moment(board: Board, key: str) -> str:
    return str(mapping(board.get("moment")).get(key) or "")


def state(board: Board) -> str:
    said = [_moment(board, "text") or _moment(board, "part"), battle_words(board)]
    return ". ".join(one for one in said if one)


def when(board: Board) -> str:
    return _moment(board, "part")


def changes(before: Board, after: Board) -> str:
    """Which cards moved, turned, became ready, locked or charging, appeared or are gone; what became of sectors."""
    old = {str(card.get("card")): (player, place, card) for player, place, card in placed(before)}
    new = {str(card.get("card")): (player, place, card) for player, place, card in placed(after)}
    said = []
    for ident, (player, place, card) in new.items():
        if ident not in old:
            said.append(f"{name_of(card)} appears ({place} of {player})")
            continue
        whose, was_at, was = old[ident]
        parts: list[str] = []
        if (whose, was_at) != (player, place):
            parts.append(f"{was_at} → {place}" + (f" of {player}" if whose != player else ""))
        for key in ("face", "position"):
            if was.get(key) != card.get(key):
                parts.append(f"{was.get(key)} → {card.get(key)}")
        if parts:
            said.append(f"{name_of(card)}: {', '.join(parts)}")
    said += [f"{name_of(card)} is gone ({place})" for ident, (_, place, card) in old.items() if ident not in new]
    taken = {sector.get("slot"): sector.get("by") for sector in sectors(before)}
    said += [
        f"sector {sector.get('slot')} taken by {sector['by']}"
        for sector in sectors(after)
        if sector.get("by") is not None and taken.get(sector.get("slot")) != sector["by"]
    ]
    for player in players(after):
        counts = [mapping(mapping(board.get("zones")).get(player)).get("deck") for board in (before, after)]
        if counts[0] != counts[1] and None not in counts:
            said.append(f"deck of {player} {counts[0]} → {counts[1]}")
    return "; ".join(said[:MOST]) + (f"; and {len(said) - MOST} more" if len(said) > MOST else "")


MOST_RINGED = 12
"""So many cards that differ are ringed; where all differ, rings say nothing."""


def differing(before: Board, after: Board) -> list[Mark]:
    """Rings round the cards that lie otherwise than before, and the sectors that are another player's or have other flags."""

    def lying(board: Board) -> dict[str, tuple[Any, ...]]:
        return {
            str(card.get("card")): (player, place, card.get("face"), card.get("position"))
            for player, place, card in placed(board)
        }

    old, new = lying(before), lying(after)
    cards: list[Mark] = [{"mark": "card", "card": one, "how": "changed"} for one in new if new[one] != old.get(one)]
    was = {sector.get("slot"): (sector.get("by"), sector.get("flags")) for sector in sectors(before)}
    taken: list[Mark] = [
        {"mark": "sector", "sector": sector.get("slot"), "how": "changed"}
        for sector in sectors(after)
        if was.get(sector.get("slot")) != (sector.get("by"), sector.get("flags"))
    ]
    held = [mapping(board.get("zones")) for board in (before, after)]
    hands: list[Mark] = [
        {"mark": "hand", "player": player, "zone": zone, "how": "changed"}
        for player in players(after)
        for zone in zones_that_differ(held[0].get(player), held[1].get(player))
    ]
    return [*(cards if len(cards) <= MOST_RINGED else ()), *taken, *hands]


_HOW = {"acts": " acts", "bad": ", not allowed", "claimed": ", as the log claims", "ruled": ", by the rules"}


def sum_words(mark: Mark) -> str:
    """'firepower of Salt Riders 5 = 3 printed + 2 Bolter Drill, against armor 4: destroyed'."""
    parts: list[str] = []
    for part in listing(mark.get("parts")):
        name, n = (part[0], part[1]) if isinstance(part, list | tuple) and len(part) == 2 else (part, None)
        sign = "- " if isinstance(n, int) and n < 0 else "+ " if parts else ""
        parts.append(f"{sign}{abs(n) if isinstance(n, int) else '?'} {name}")
    whose = f" of {mark['title']}" if mark.get("title") else ""
    said = f"{label(str(mark.get('stat')))}{whose} {mark.get('total')}"
    said += f" = {' '.join(parts)}" if parts else ""
    said += f", against {mark['against']}" if mark.get("against") is not None else ""
    return said + (f": {mark['outcome']}" if mark.get("outcome") is not None else "")


def test_words(mark: Mark) -> str:
    """'a test: 4 or more is needed, 3 was rolled and became 5'."""
    said = f"a test: {mark.get('need')} or more is needed, {mark.get('roll')} was rolled"
    is_changed = mark.get("final") is not None and mark.get("final") != mark.get("roll")
    return f"{said} and became {mark['final']}" if is_changed else said


def takes_words(mark: Mark) -> str:
    """'The log: Ann takes it'."""
    said = "By the rules" if mark.get("how") == "ruled" else "The log"
    return f"{said}: {mark['player']} takes it" if mark.get("player") else f"{said}: nobody takes it"


def mark_words(mark: Mark) -> str:
    """A mark in words, for the list beside the picture and for those who hear it."""
    said = str(mark.get("label") or "")
    match mark.get("mark"):
        case "card":
            what = f"{mark.get('title') or mark.get('card')}{_HOW.get(str(mark.get('how')), '')}"
        case "attack":
            what = f"{mark.get('from_title') or mark.get('from')} attacks {mark.get('to_title') or mark.get('to')}"
        case "sum":
            what = sum_words(mark)
        case "test":
            what = test_words(mark)
        case "hand":
            what = f"{label(str(mark.get('zone') or 'cards'))} of {mark.get('player')}"
        case "takes":
            what = takes_words(mark)
        case "sector":
            what = f"sector {mark.get('sector')}"
        case "text":
            before, part, _ = part_of(mark)
            what = f"“{part or before}”"
        case other:
            what = str(other)
    what += "" if mark.get("ok", True) else ", not allowed"
    return f"{what}: {said}" if said else what


def part_of(mark: Mark) -> tuple[str, str, str]:
    """A card's text before, in, and after the part that applied; all of it before where none is singled out."""
    text = str(mark.get("text") or "")
    first, last = mark.get("from"), mark.get("to")
    if not isinstance(first, int) or not isinstance(last, int) or not 0 <= first < last <= len(text):
        return text, "", ""
    return text[:first], text[first:last], text[last:]


def value_words(value: Any, name: str) -> str | None:
    return None
