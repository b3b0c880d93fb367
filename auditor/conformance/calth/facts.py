"""What an event states, in the shapes of catalogue section 5: a value of another shape was not stated.

`read` leaves out what cannot be what its name says, fills in what follows from the rest of the event, and names the
rule that needed a fact which is not there (CAL-AUD-04). A claim that is not there was not made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from auditor.conformance.calth.position import Event
from auditor.conformance.calth.tables import LEVELS, MIRROR, SIDES, WEAPONS, other

NUMBERS = frozenset(
    (
        *("tp_before", "tp_after", "amount", "tp_lost", "count", "deck_left", "pool", "armour_used", "bonus_dice"),
        *("shields", "pool_after_shields", "stamina_used", "pool_left", "models", "weapons", "pistols", "harness"),
        *("total", "obscured", "rubble", "barricade"),
    )
)
TRUTHS = frozenset(("casualty", "due", "weapon_destroyed", "shuffled"))
# Where null says something: nobody is left, nobody fell, no way there.
MAY_BE_NULL = frozenset(("tp_after", "self_casualty", "distance", "initiative", "effect"))
LISTS = frozenset(("units", "steps", "attempts", "passes", "rerolls"))


def is_number(value: Any) -> bool:
    """Whether this is a whole number."""
    return type(value) is int


def is_text(value: Any) -> bool:
    """Whether this is an id or a word."""
    return isinstance(value, str) and value != ""


def is_hex(value: Any) -> bool:
    """Whether this names a hex."""
    return isinstance(value, list | tuple) and len(value) == 2 and all(is_number(part) for part in value)


def is_edge(value: Any) -> bool:
    """Whether this names an edge."""
    return isinstance(value, list | tuple) and len(value) == 2 and all(is_hex(part) for part in value)


def are_faces(value: Any) -> bool:
    """Whether this is a roll."""
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(face, str) for face in value))


def is_path(value: Any) -> bool:
    """Whether this is a path of one hex or more."""
    return isinstance(value, list) and bool(value) and all(is_hex(h) for h in value)


def are_pairs(value: Any) -> bool:
    """Whether this lists pairs of a model and a weapon."""
    return isinstance(value, list) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 and all(is_text(part) for part in pair) for pair in value
    )


def are_ids(value: Any) -> bool:
    """Whether this lists ids."""
    return isinstance(value, list) and all(is_text(one) for one in value)


def are_moves(value: Any) -> bool:
    """Whether this says of models where each goes, as far as it says so."""
    return isinstance(value, list) and all(
        isinstance(line, dict)
        and (line.get("model") is None or is_text(line["model"]))
        and (line.get("to") is None or is_hex(line["to"]))
        for line in value
    )


def are_results(value: Any) -> bool:
    """Whether this holds the results of all six scenarios, each once."""
    return (
        isinstance(value, list)
        and all(isinstance(line, dict) and any(line.get(side) in LEVELS for side in SIDES) for line in value)
        and sorted(str(line.get("scenario")) for line in value) == list("123456")
    )


def are_objects(value: Any) -> bool:
    """Whether this is a list with at least one object."""
    return isinstance(value, list) and any(isinstance(line, dict) for line in value)


Shape = Callable[[Any], bool]
UNREADABLE = "unreadable"
"""What stands for a rule where an event cannot be read at all: nothing can be said of it."""
SHAPES_OF_FACTS: dict[str, Shape] = {"path": is_path, "hex": is_hex, "edge": is_edge}
FACTS: dict[str, tuple[str, Mapping[str, Shape]]] = {
    "place": ("CAL-SET-02", {"model": is_text, "hex": is_hex}),
    "door": ("CAL-SET-03", {"edge": is_edge, "state": is_text}),
    "card_draw": ("CAL-RDY-01", {"player": is_text}),
    "tp_refresh": ("CAL-RDY-02", {"units": are_objects}),
    "activate": ("CAL-ACT-02", {"unit": is_text}),
    "pass": ("CAL-ACT-04", {"player": is_text}),
    "move_models": ("CAL-CON-01", {"moves": are_moves}),
    "last_stand": ("CAL-DLS-01", {"models": are_ids, "faces": are_faces}),
    "campaign_end": ("CAL-CMP-01", {}),
    "tp_loss": ("CAL-ACT-05", {"unit": is_text}),
    "model_removed": ("CAL-ATK-08", {"model": is_text}),
    "unit_removed": ("CAL-ATK-08", {"unit": is_text}),
    "weapon_destroyed": ("CAL-CRT-06", {"model": is_text, "weapon": is_text}),
}
"""The facts of an event that cannot be derived, and the rule that needs them most."""

AS_THEY_STAND = ("game_start", "position", "remark", "judge", "end")
OF_A_MOVE = {
    "advance": "CAL-ADV-01",
    "run": "CAL-RUN-01",
    "assault_pre": "CAL-ASL-02",
    "move_in": "CAL-ASL-04",
    "scenario": "CAL-ACT-02",
}
ACTIONS = ("advance", "run", "consolidate", "assault", "shoot", "none")
ROLES = ("assault", "counter", "shoot", "flamer_follow_up")
SHAPES: dict[str, Shape] = {
    "player": lambda value: value in SIDES,
    "side": lambda value: value in SIDES,
    "unit": is_text,
    "attacker": is_text,
    "target": is_text,
    "model": is_text,
    "weapon": is_text,
    "target_model": is_text,
    "hex": is_hex,
    "to": is_hex,
    "path": is_path,
    "edge": is_edge,
    "faces": are_faces,
    "roll": are_faces,
    "added": are_faces,
    "indices": lambda value: isinstance(value, list) and all(is_number(i) for i in value),
    "survivors": are_ids,
    "override": lambda value: isinstance(value, dict),
    "winner": lambda value: value in SIDES,
    "role": lambda value: value in ROLES,
    "mode": lambda value: value in ("melee", "ranged"),
    "cause": lambda value: is_text(value) or isinstance(value, dict),
    "los": lambda value: isinstance(value, dict),
    "dice": lambda value: isinstance(value, dict),
    "bonuses": lambda value: isinstance(value, dict),
    "vexilla": lambda value: isinstance(value, dict),
    "class": is_text,
    "card": is_text,
    "choice": is_text,
}


def read(event: Event) -> tuple[Event, str | None]:
    """An event without what is of a wrong shape, and the rule for which a fact is missing, if one is."""
    if event.get("type") in AS_THEY_STAND:
        return event, UNREADABLE if event.get("type") == "position" and not is_position(event) else None
    if event.get("type") == "initiative" and not all(isinstance(one, dict) for one in event.get("attempts") or ()):
        return event, UNREADABLE
    if _has_a_gap(event):
        return event, UNREADABLE
    clean: Event = {**_clean(event, ""), "type": str(event.get("type"))}
    if "player" not in clean and event.get("by") in SIDES:
        clean["player"] = event["by"]
    if event.get("path") == []:
        clean.pop("path", None)
        event = {key: value for key, value in event.items() if key != "path"}
    rule, wanted = FACTS.get(clean["type"], ("", {}))
    stated = {name: event[name] for name in (*wanted, *SHAPES_OF_FACTS) if event.get(name) is not None}
    shapes = {**SHAPES_OF_FACTS, **wanted}
    if any(not shapes[name](value) for name, value in stated.items()):
        return clean, UNREADABLE
    if any(name not in stated for name in wanted):
        return clean, rule
    if clean["type"] != "last_stand" and clean.get("tp_after", 0) is None:
        del clean["tp_after"]
    special = _SPECIAL.get(clean["type"])
    return special(clean) if special is not None else (clean, None)


def _has_a_gap(value: Any, name: str = "") -> bool:
    """Whether a list of passes or of dice holds something that is none: nobody can tell what stood there."""
    if isinstance(value, dict):
        return any(_has_a_gap(part, key) for key, part in value.items())
    if not isinstance(value, list):
        return False
    if (name in ("steps", "results") and not all(isinstance(part, dict) for part in value)) or (
        name == "indices" and not all(is_number(part) for part in value)
    ):
        return True
    return any(_has_a_gap(part, name) for part in value)


def _clean(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        counted = name in ("casualties", "tally", "tp", "tp_left")
        kept: dict[str, Any] = {}
        for key, part in value.items():
            if counted:
                fits = is_number(part)
            elif key in NUMBERS and not (key in ("models", "weapons") and name != "dice"):
                fits = is_number(part) or (part is None and key in MAY_BE_NULL and not name)
            elif key in TRUTHS:
                fits = isinstance(part, bool)
            elif key == "distance":
                fits = part is None or is_number(part)
            elif key in LISTS:
                fits = isinstance(part, list)
            elif key in ("tp", "tp_left"):
                fits = is_number(part) if name else isinstance(part, dict)
            else:
                fits = SHAPES[key](part) if key in SHAPES else part is not None or key in MAY_BE_NULL
            if fits:
                kept[key] = _clean(part, key)
        return kept
    if isinstance(value, list) and name in LISTS:
        return [_clean(part, f"{name}[]") for part in value if isinstance(part, dict)]
    return value


def _initiative(event: Event) -> tuple[Event, str | None]:
    attempts = event.get("attempts")
    if event.get("source") not in (None, "roll", "scenario"):
        return event, UNREADABLE
    if attempts is not None:
        whole = [{side: line[side] for side in SIDES if are_faces(line.get(side))} for line in attempts]
        event["rerolled"] = any("vexilla" in line or "rerolls" in line for line in attempts)
        if any(not line for line in whole):
            return event, "CAL-INI-01"
        event["attempts"] = whole
    if event.get("source") not in ("roll", "scenario"):
        event["source"] = "roll"
        return event, None if attempts is not None else "CAL-INI-01"
    return event, None


def _move_unit(event: Event) -> tuple[Event, str | None]:
    if "path" not in event:
        return event, OF_A_MOVE.get(str(event.get("cause")), "CAL-ACT-03")
    return event, None


def _move_models(event: Event) -> tuple[Event, str | None]:
    event["units"] = [line for line in event.get("units", ()) if "hex" in line]
    if any(line.get("model") is None or line.get("to") is None for line in event["moves"]):
        return event, "CAL-CON-01"
    return event, None


def _attack(event: Event) -> tuple[Event, str | None]:
    if "mode" not in event and "role" in event:
        event["mode"] = "ranged" if event["role"] in ("shoot", "flamer_follow_up") else "melee"
    elif "mode" not in event:
        event["mode"] = "ranged" if "los" in event else "melee"
    if "attacker" not in event:
        return event, "CAL-ATK-01" if event["mode"] == "melee" else "CAL-ATK-02"
    if "target" not in event:
        return event, "CAL-ASL-01" if event["mode"] == "melee" else "CAL-SHT-01"
    if "weapons" in event and not are_pairs(event["weapons"]):
        return event, UNREADABLE
    if "weapons" in event:
        # A weapon and its model, the one named for the other.
        turned = [pair[0] in WEAPONS and pair[1] not in WEAPONS for pair in event["weapons"]]
        event["weapons"] = [pair[::-1] if back else pair for pair, back in zip(event["weapons"], turned, strict=True)]
    crit = event.get("crit")
    blocks = crit if isinstance(crit, list) else [crit]
    for block in blocks:
        if isinstance(block, dict):
            _effect(block)
    for step in event.get("steps", ()):
        card = step.get("damage_card")
        if not (is_text(card) or isinstance(card, dict)):
            step.pop("damage_card", None)
    return event, None


def _effect(block: dict[str, Any]) -> None:
    weapon = WEAPONS.get(str(block.get("weapon")))
    if not is_text(block.get("effect")):
        block["effect"] = weapon.effect if weapon is not None else None
    if "passes" in block:
        block["passes_lost"] = any("indices" not in entry or "faces" not in entry for entry in block["passes"])
        block["passes"] = [entry for entry in block["passes"] if "indices" in entry and "faces" in entry]


def _campaign_end(event: Event) -> tuple[Event, str | None]:
    stated = event.get("results")
    lines = [line for line in stated if isinstance(line, dict)] if isinstance(stated, list) else []
    lines = [dict(line) for n, line in enumerate(lines) if line not in lines[:n]]
    lines = [line for line in lines if line.get("scenario") in (None, 1, 2, 3, 4, 5, 6)]
    left = [n for n in range(1, 7) if all(line.get("scenario") != n for line in lines)]
    nameless = [line for line in lines if line.get("scenario") is None]
    if len(left) == len(nameless) == 1:
        nameless[0]["scenario"] = left[0]
    sixth = event.get("scenario_6")
    before = sixth.get("before") if isinstance(sixth, dict) else None
    if left == [6] and not nameless and isinstance(before, dict):
        lines.append({"scenario": 6, **before})  # its result before the adjustment is what would stand there
    event["results"] = lines
    if not are_results(lines):
        return event, "CAL-CMP-01"
    event["results"] = [{"scenario": line["scenario"], **_both(line)} for line in event["results"]]
    if isinstance(sixth, dict):
        event["scenario_6"] = {key: _both(part) for key, part in sixth.items() if isinstance(part, dict)}
    return event, None


def _both(line: Mapping[str, Any]) -> dict[str, str]:
    """The results of both sides: one says the other."""
    known = {side: line[side] for side in SIDES if line.get(side) in LEVELS}
    return {**{other(side): MIRROR[level] for side, level in known.items()}, **known}


def _last_stand(event: Event) -> tuple[Event, str | None]:
    vexilla = event.get("vexilla")
    if vexilla is not None and not ("indices" in vexilla and "faces" in vexilla):
        return event, "CAL-DLS-01"
    return event, None


def is_position(event: Event) -> bool:
    """Whether a stated position has what it must have, in shapes that can be read."""

    def is_unit(line: Any) -> bool:
        words = isinstance(line, dict) and is_text(line.get("unit")) and line.get("side") in SIDES
        return words and is_hex(line.get("hex")) and are_ids(line.get("models"))

    doors = event.get("doors") or []
    whole = is_number(event.get("round")) and is_text(event.get("phase"))
    whole = whole and all(is_unit(line) for line in event.get("units", [None]))
    broken = event.get("weapons_destroyed") or []
    decks, damage = event.get("decks", {}), event.get("damage_deck", {"in_deck": [], "on_model": []})
    whole = whole and isinstance(decks, dict) and all(isinstance(deck, dict) for deck in decks.values())
    whole = whole and isinstance(damage, dict) and all(are_ids(damage.get(key)) for key in ("in_deck", "on_model"))
    whole = whole and isinstance(doors, list) and are_pairs(broken) and isinstance(event.get("removed") or [], list)
    return whole and all(
        isinstance(line, dict) and is_edge(line.get("edge")) and is_text(line.get("state")) for line in doors
    )


_SPECIAL: dict[str, Callable[[Event], tuple[Event, str | None]]] = {
    "initiative": _initiative,
    "move_unit": _move_unit,
    "move_models": _move_models,
    "attack": _attack,
    "last_stand": _last_stand,
    "campaign_end": _campaign_end,
}
