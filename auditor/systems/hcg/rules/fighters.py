"""What the rules of attacks share: whether a card may act or be attacked, and comparing damage."""

from __future__ import annotations

from collections.abc import Collection

from auditor.core.findings import Fault
from auditor.core.ruleset import Rule
from auditor.core.rulings import Hearing
from auditor.systems.hcg import records
from auditor.systems.hcg.position.parts import Action
from auditor.systems.hcg.position.state import Position
from auditor.systems.hcg.reckoning.attacks import UNKNOWN, Blow, destroys, is_counter
from auditor.systems.hcg.reckoning.lacking import hit
from auditor.systems.hcg.reckoning.restrictions import UNSURE, forbidden
from auditor.systems.hcg.reckoning.values import not_verified
from auditor.systems.words import listed


def kept_from(position: Position, acts: Collection[str], instance: str, by: str | None = None) -> str | None:
    """Which text in force keeps a card from one of some acts, as the end of a sentence; None where none does, `UNKNOWN`
    where that cannot be told."""
    found = [text for act in acts if (text := forbidden(position, act, instance, by)) is not None]
    sure = [text for text in found if text != UNSURE]
    if sure:
        return f"is under a text that forbids it: “{sure[0].rstrip('.')}”"
    return UNKNOWN if found else None


def compared(rule: Rule, event: records.Damage, due: Blow, position: Position, hearing: Hearing) -> list[Fault]:
    """The claims of a `damage` event against what the rules make of it: stat, amount, armor, whether it destroys."""
    claimed: dict[str, object] = {}
    recomputed: dict[str, object] = {}
    armor = due.armor.amount
    for name, said, right in (
        ("stat", event.stat, due.stat),
        ("amount", event.amount, due.amount.amount),
        ("armor", event.armor, armor),
    ):
        if said is None:
            hearing.not_claimed()
        elif said != right:
            claimed[name], recomputed[name] = said, right
    if event.destroyed is None:
        hearing.not_claimed()
    else:
        right = destroys(due.amount.amount, armor, hearing, due.before)
        if event.destroyed != right:
            claimed["destroyed"], recomputed["destroyed"] = event.destroyed, right
    if not claimed:
        return []
    figures = (due.amount.figure(f"{due.stat} dealt"), due.armor.figure("armor"))
    verb = "destroyed" if destroys(due.amount.amount, armor, hearing, due.before) else "not destroyed"
    text = (
        f"{position.named(due.source)} deals {figures[0].working()} to {position.named(due.to)}, armor "
        f"{figures[1].working()}: {verb}; the log says {_said(claimed)}."
    )
    at = position.at.get(due.source)
    player = at.player if at is not None else ""
    subject = (due.source, due.to)
    if due.tainted:
        text += not_verified(due.tainted)
        made = rule.fault(
            "ambiguous",
            text,
            *subject,
            player=player,
            claimed=claimed,
            recomputed=recomputed,
            figures=figures,
            would_be="miscalculated",
        )
        return [made._replace(game_fields={"tainted_by": list(due.tainted)})]
    made = rule.fault(
        "miscalculated",
        text,
        *subject,
        player=player,
        claimed=claimed,
        recomputed=recomputed,
        figures=figures,
    )
    return [made]


def misdirected(rule: Rule, event: records.Damage, position: Position, action: Action) -> list[Fault] | None:
    """Damage of an attack that comes from another card than attacks, or goes to another than defends. None where it does
    not, and where another rule says so: of a counterattack (HCG-CA-03), of a blocked shot (HCG-SHOOT-09)."""
    if event.by_ability or is_counter(event, action):
        return None
    if action.unit is None or action.defending is None or action.ended is not None:
        return None
    claimed: dict[str, object] = {}
    recomputed: dict[str, object] = {}
    if event.from_ not in (None, action.unit):
        claimed["from"], recomputed["from"] = event.from_, action.unit
    blocked = action.kind == "shoot" and action.blocker is not None and event.to == action.target
    if event.to not in (None, action.defending) and not blocked:
        claimed["to"], recomputed["to"] = event.to, action.defending
    if not claimed:
        return None
    text = (
        f"The log has the damage go from {position.named(event.from_ or action.unit)} to "
        f"{position.named(event.to or action.defending)}; {position.named(action.unit)} attacks and "
        f"{position.named(action.defending)} is the defending card."
    )
    subject = str(event.to if "to" in claimed else event.from_)
    lacks = hit(event.to, position, event) if action.blocker is None and "from" not in claimed else None
    return [
        rule.fault(
            "miscalculated",
            text,
            subject,
            player=action.by,
            claimed=claimed,
            recomputed=recomputed,
            lacks=lacks,
        )
    ]


def _said(claimed: dict[str, object]) -> str:
    lived = {"destroyed": {True: "it was destroyed", False: "it survived"}}
    said = {"amount": "{} damage", "final": "a total of {}"}
    return listed(
        lived.get(name, {}).get(value, said.get(name, f"{name} {{}}").format(value))  # type: ignore[call-overload]
        for name, value in claimed.items()
    )


def responder(position: Position, action: Action) -> str:
    return position.other(action.by)
