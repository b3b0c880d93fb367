"""What the rules make of one event, before any rule looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from auditor.core.ruleset import Topics
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.kept import Kept
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.battles import ends_another
from auditor.systems.hcg.reckoning.choices import MAY_CHOOSE, all_fit, choices_made
from auditor.systems.hcg.reckoning.named import MAY_NAME
from auditor.systems.hcg.reckoning.plays import ANNOUNCES, ability_of, announced


@dataclass(frozen=True, slots=True)
class View:
    """topics: what the event is about, and what is under way as it comes; a rule says at which of them it looks.

    first     nothing has been replayed before this event
    begins    it begins the first turn
    shows     it may tell the cards of instances
    names     it may name a card that cannot be there, or one twice
    played    an ability was announced before it, or it may announce one
    costs, a test, X, rows, all, discards   such is in the text of one of these abilities (`Ability.has`)
    chosen    it tells what was chosen for an ability (`choices_made`); unfit: not all of that is known to fit (`all_fit`)
    set-up    a battle is being set up
    unsaid    the event shows that a line is missing before it, as if which the game has gone on
    joined    ships have joined a fleet in this set-up, or cards were infiltrated; arrived: the latter
    shoot, charge, assault, card, ability, withdraw, pass   the kind of the open battle action
    tactics window, reaction window, modifier window        such a window is open
    """

    topics: Topics

    @property
    def first(self) -> bool:
        return "first" in self.topics

    @property
    def begins(self) -> bool:
        return "begins" in self.topics


_SHOWERS = records.of(records.SetupFlip, records.Position)
_BEGINNERS = records.of(records.TurnStart, records.PhaseStart, records.DeployFirst)
_WINDOWS = {kind: f"{kind} window" for kind in ("block", "tactics", "reaction", "modifier")}


def resolve(event: Any, position: Position, hearing: Hearing) -> View:
    """Where in the game an event stands. What the position comes to may be kept from now on until it changes."""
    position.kept = Kept(event)
    kind, battle, action = type(event), position.battle, position.action
    about = ["shows"] if event.ids or kind in _SHOWERS else []
    if kind in MAY_NAME:
        about.append("names")
    if kind is records.BaEnd and ends_another(event, position):
        return View(tuple(about))  # It leaves the battle action that is open as it is.
    if not position.started:
        about.append("first")
    if position.phase == "setup" and kind in _BEGINNERS and getattr(event, "phase", None) not in ("setup", "over"):
        about.append("begins")
    if position.plays or kind in ANNOUNCES:
        about.append("played")
        for play in (*position.plays, announced(event, position)):
            if (ability := ability_of(position, play)) is not None:
                about += [one for one in ability.has if one not in about]
        if kind in MAY_CHOOSE and (chosen := choices_made(event, position)) is not None:
            about.append("chosen")
            if not all_fit(chosen, position, hearing):
                about.append("unfit")
    if battle is not None and battle.step == "setup":
        about.append("set-up")
        if position.unsaid == event.seq:
            about.append("unsaid")
    if action is not None:
        about.append(action.kind)
    for window in position.windows:
        if (name := _WINDOWS[window.kind]) not in about:
            about.append(name)
    if position.arrived:
        about += ("joined", "arrived")
    elif position.joined:
        about.append("joined")
    return View(tuple(about))


def topics(event: records.Event, view: View) -> Topics:
    """What an event is about (`View`)."""
    return view.topics
