"""Shots of guessed range (catalogue 6.5)."""

from __future__ import annotations

from decimal import Decimal

from auditor.conformance.clx.inches import gap, number
from auditor.conformance.clx.referee.board import Reader
from auditor.conformance.clx.referee.fights import HAIR
from auditor.conformance.clx.referee.found import Faults, NotJudged
from auditor.conformance.clx.referee.moves import ROUNDED
from auditor.conformance.clx.referee.shots import Volley
from auditor.conformance.clx.referee.throws import Throws


class Guesses(Throws):
    """The game with its shots of guessed range."""

    def on_weapon_fire(self, at: Reader) -> Faults:
        weapon, rows = self.t.weapons.get(at.text("weapon")), at.rows("firers")
        if weapon is None or not weapon.get("guess"):
            yield from super().on_weapon_fire(at)
            return
        if len(rows) != 1:
            raise NotJudged("a guess of nobody, or of several")
        attack, model = self.attack(at), rows[0].model()
        once = rows[0].whole("shots") == 1 and not attack.volleys and attack is self.now
        if not once or attack.failed or model.unit is not attack.unit or weapon["id"] not in model.entry["weapons"]:
            raise NotJudged("a guess that is not followed")
        if attack.unit.moved or model.z or attack.target.vehicle is not None or "claimed_range" in rows[0].event:
            raise NotJudged("a guess after a move, from above, or at a hull")
        attack.volleys[weapon["id"]] = Volley(weapon, {model.id: 1}, [model], int(weapon["S"] or 0))

    def on_guess_shot(self, at: Reader) -> Faults:
        """CLX-SHOOT-06g, by OR-GUESS-BS and OR-GUESS-DIE; where the shot comes down is not followed."""
        attack, model = self.attack(at), at.model()
        self.stops = True
        if len(attack.volleys) != 1 or attack.target.gone or "claimed_final" in at.event:
            raise NotJudged("a guess that is not followed")
        (volley,) = attack.volleys.values()
        if not volley.weapon.get("guess") or volley.models != [model]:
            raise NotJudged("a guess of nobody, or of another weapon")
        guess, placed = (self.length_of(at, key) for key in ("guess", "placed_distance"))
        skill, far = model.n("BS"), min(gap(model.base, n.base) for n in attack.target.living)
        if not 1 <= skill <= 5:
            raise NotJudged("a miss that may be rolled again")
        kinds = ["illegal"] if self.is_over(placed - volley.weapon["range"]) else []
        rolled = "to_hit_die" in at.event
        if self.by("OR-GUESS-BS") == "WINDOW":
            kinds += (
                ["illegal"] if (rolled or at.event.get("hit_models")) and self.is_over(abs(far - guess) - skill) else []
            )
        else:
            kinds += ["illegal"] if self.is_over(abs(placed - guess) - skill) else []
            hit = rolled and at.whole("to_hit_die") >= 7 - skill
            scatters = bool(at.event.get("scatter_dice")) or "scatter_angle" in at.event
            if rolled and hit == scatters and self.by("OR-GUESS-DIE") == "BS_ROLL":
                kinds.append("illegal" if hit else "omitted")
        if len(kinds) > 1:
            raise NotJudged("more than one fault of one guess")
        for kind in kinds:
            yield self.fault("SHOOT-06g", kind, attack.unit.owner)

    @staticmethod
    def length_of(at: Reader, key: str) -> Decimal:
        """A length of an event."""
        if type(at.event.get(key)) not in (int, float):
            raise NotJudged(f"{key} is no number")
        return number(at.event[key])

    @staticmethod
    def is_over(off: Decimal) -> bool:
        """Whether a length is over its limit. Raises NotJudged by a hair."""
        if abs(off - ROUNDED) < HAIR:
            raise NotJudged("a guess by a hair")
        return off > ROUNDED
