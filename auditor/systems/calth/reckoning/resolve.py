"""What the rules make of an event in a position: whose turn, licences, dice due, distance, sight, pool, casualties.

`resolve` is pure and refuses nothing. Most of what it finds is worked out only when a rule asks for it, because most
rules have little to ask of most events; whatever hangs on a reading is worked out anew at each asking, so that no
remembered answer swallows a question.
"""

from __future__ import annotations

from collections.abc import Mapping

from auditor.core.rulings import Hearing
from auditor.systems.calth import records
from auditor.systems.calth.reckoning.attack import AttackView
from auditor.systems.calth.reckoning.dice import ROLLS, rolled_again
from auditor.systems.calth.reckoning.licence import Warrant
from auditor.systems.calth.reckoning.overrides import text_that_rerolls
from auditor.systems.calth.reckoning.views import (
    ActivationView,
    ActView,
    DestructionView,
    DrawView,
    FloatingView,
    InitiativeView,
    LastStandView,
    LossView,
    MovesView,
    MoveView,
    PassView,
    PlaceView,
    RefreshView,
    RemovalView,
    RoundEndView,
    StatedView,
    View,
)
from auditor.systems.calth.state import Position

VIEWS: Mapping[type, type[View]] = {
    records.GameStart: FloatingView,
    records.Position: StatedView,
    records.Place: PlaceView,
    records.Initiative: InitiativeView,
    records.CardDraw: DrawView,
    records.CardPlay: FloatingView,
    records.TpRefresh: RefreshView,
    records.Activate: ActivationView,
    records.Pass: PassView,
    records.MoveUnit: MoveView,
    records.MoveModels: MovesView,
    records.Attack: AttackView,
    records.Counter: ActView,
    records.Retreat: ActView,
    records.LastStand: LastStandView,
    records.TpLoss: LossView,
    records.Door: FloatingView,
    records.WeaponDestroyed: DestructionView,
    records.DamageCard: FloatingView,
    records.UnitRemoved: RemovalView,
    records.ModelRemoved: RemovalView,
    records.RoundEnd: RoundEndView,
    records.ScenarioEnd: FloatingView,
    records.CampaignEnd: FloatingView,
    records.Judge: FloatingView,
    records.End: FloatingView,
}
"""The view of each type of event."""


def resolve(event: records.Event, position: Position, hearing: Hearing) -> View:
    """What the rules make of an event in a position."""
    return VIEWS[type(event)](event, position)


# Long: its docstring is the list of the topics.
def topics(event: records.Event, view: View) -> tuple[str, ...]:
    """What an event is about, for `Rule.when`: what it names, and what is out of the ordinary about it.

    opening            nothing has been adopted before it
    override           it says that something changed the rules
    tps                it states TPs
    misdated           its round or phase is not the one that it belongs to, or it comes too late
    misnamed           what it names does not agree
    before actions     the actions of the round have not begun
    hits left          an attack on Sor Gharax stopped with hits left, and only the record can say that he is removed
    nothing recorded   an activation is open, and no act has been recorded in it
    during an Assault  an Assault is open
    weapon unmarked    in the open activation a weapon was destroyed that no line has marked so
    unlicensed         nobody can tell what licenses it
    in doubt           an activation or a move of which nobody knows whose it is, or that states of its unit a player,
                       TPs or a hex where it starts that are not those of the unit
    not free           a move without a path, by the scenario, or with a step that no model can make
    models named       a move of a unit that names models
    action unstated    an activation without an action
    not as activated   a move or an attack that is not the action, still to be made, of the unit that was activated
    rolled again       dice of an attack were
    in sight or not    a ranged attack between two known hexes; with it what its line meets (`OnTheLine`)
    class in doubt     the class of such an attack is not claimed, or is or may be another than the one claimed
    passes in doubt    the pool or a pass of an attack is not as its faces and models make it, or leaves something out, or
                       an effect, a card or a reading has a say in it
    dice in doubt      the same, or so of the number of attack dice
    For moves their cause; for attacks mode, role and effect, `crit` where one was triggered, `critical shown`.
    """
    position = view.position
    act = position.act
    found = view.subject
    if not position.started:
        found += ("opening",)
    if event.override is not None:
        found += ("override",)
    if event.tp:
        found += ("tps",)
    if (
        (event.phase != view.phase and event.phase is not None)
        or (event.round != view.round and event.round is not None)
        or view.late is not None
    ):
        found += ("misdated",)
    if view.astray:
        found += ("misnamed",)
    if position.phase != "action":
        found += ("before actions",)
    if act is not None:
        if act.hits_left is not None:
            found += ("hits left",)
        if not act.seen and act.action != "none":
            found += ("nothing recorded",)
        if act.action == "assault":
            found += ("during an Assault",)
        if act.owes:
            found += ("weapon unmarked",)
    if view.warrant is Warrant.OPEN or (
        (type(event) in ROLLS or "rolled again" in found)
        and text_that_rerolls(position, rolled_again(event)) is not None
    ):
        found += ("unlicensed",)
    return found
