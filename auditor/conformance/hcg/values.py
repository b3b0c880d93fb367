"""Current values, and which cards a text means now (catalogue 4.24, 4.21, section 7)."""

from __future__ import annotations

from typing import Any

from auditor.conformance.hcg.table import PLAYERS, Piece, Table, other
from auditor.conformance.hcg.texts import Condition, Select, Static


class Reckoning(Table):
    """The table with all that can be counted on it."""

    # ---------------------------------------------------------------- values

    def keywords(self, piece: Piece) -> set[str]:
        """Printed and granted keywords, traits among them."""
        return set(piece.card.keywords) | {bonus.gained for bonus in piece.bonuses if bonus.gained}

    def foe(self, piece: Piece) -> Piece | None:
        """The card that this one fights now."""
        if self.attack is None or self.attack.defender is None:
            return None
        if piece.id == self.attack.attacker:
            return self.pieces[self.attack.defender]
        if piece.id == self.attack.defender:
            return self.pieces[self.attack.attacker]
        return None

    def value(self, piece: Piece, stat: str, foe: Piece | None = None) -> int:
        """A current value: printed, standing texts, versus, what was gained; never below nothing. `foe`: against whom, if not
        the card that it fights now."""
        total = piece.card.stats[stat] or 0
        total += sum(bonus.amount for bonus in piece.bonuses if bonus.stat == stat)
        total += self.standing(piece, stat) + self.versus(piece, stat, foe or self.foe(piece))
        return total if self.goes_by("OR-STATFLOOR", "none") else max(0, total)

    def kills(self, amount: int, armor: int) -> bool:
        """Whether damage destroys a card (HCG-DMG-02)."""
        return amount >= armor and (amount > 0 or self.goes_by("OR-ZEROKILL", "literal"))

    def flags_of(self, piece: Piece) -> int:
        if piece.card.kind not in ("unit", "asset"):
            return 0
        gained = sum(bonus.amount for bonus in piece.bonuses if bonus.stat == "flags")
        return max(0, piece.card.flags + gained)

    def flag_total(self, player: str) -> int:
        """Flags of a player's cards here, with what events and abilities changed; may be below nothing."""
        changes = sum(amount for who, amount, _ in self.flag_changes if who == player)
        return sum(self.flags_of(piece) for piece in self.row(player)) + changes

    def versus(self, piece: Piece, stat: str, foe: Piece | None) -> int:
        if foe is None:
            return 0
        total = 0
        for text in piece.card.statics:
            if text.kind == "versus" and text.what is not None and self.is_such(foe, text.what, piece.owner, piece):
                total += sum(sign * int(amount) for name, sign, amount in text.mods if name == stat)
        return total

    def standing(self, piece: Piece, stat: str) -> int:
        """What texts that are always on give to a card here."""
        total = 0
        sources: list[tuple[Piece | None, str, Static]] = [
            (source, source.owner, text)
            for player in PLAYERS
            for source in self.row(player)
            for text in source.card.statics
            if text.kind == "standing"
        ]
        sources += [(None, "", text) for text in self.sectors[self.sector].statics if text.kind == "standing"]
        for source, owner, text in sources:
            if text.what is None:
                continue
            if text.what.q == "self":
                if source is not piece:
                    continue
            elif not self.is_such(piece, text.what, owner, source):
                continue
            if (
                text.condition is not None
                and source is not None
                and not self.holds(text.condition, source.owner, source)
            ):
                continue
            total += sum(sign * int(amount) for name, sign, amount in text.mods if name == stat)
        return total

    # ---------------------------------------------------------------- conditions

    def holds(self, condition: Condition, player: str, source: Piece | None) -> bool:
        """Whether a condition is met, seen by `player`."""
        if condition.kind in ("more", "fewer"):
            mine, theirs = self.flag_total(player), self.flag_total(other(player))
            if condition.word != "flags":
                mine, theirs = len(self.hand(player)), len(self.hand(other(player)))
            met = mine > theirs if condition.kind == "more" else mine < theirs
        elif condition.kind == "is":
            met = source is not None and self.is_in_role(source, condition.word)
        elif condition.what is not None and condition.what.kind == "card":
            met = bool(self.hand(player))
        else:
            assert condition.what is not None
            wanted = condition.what
            mine_only = condition.kind == "has"
            met = any(
                self.is_such(piece, wanted, player, source)
                for piece in self.here()
                if not mine_only or piece.owner == player
            )
        return met != condition.negated

    def is_in_role(self, piece: Piece, word: str) -> bool:
        """Whether a card is ready, locked, charging, attacking, blocking …"""
        if word in ("ready", "locked", "charging"):
            return piece.position == word
        attack = self.attack
        if attack is None:
            return False
        if word == "defending":
            return piece.id == attack.defender
        if word == "blocking":
            return piece.id == attack.blocker
        if piece.id != attack.attacker:
            return False
        return word == "attacking" or (word == "shooting") == (attack.kind == "shot")

    def is_such(self, piece: Piece, what: Select, player: str, source: Piece | None) -> bool:
        """Whether a card is of the kind that a selector means, seen by `player`."""
        if what.kind == "card":
            if piece.card.kind == "ship":
                return False
        elif piece.card.kind != what.kind:
            return False
        if what.side == "own" and piece.owner != player:
            return False
        if what.side == "enemy" and piece.owner == player:
            return False
        if what.other and piece is source:
            return False
        if what.state is not None and piece.position != what.state:
            return False
        if what.role is not None and not self.is_in_role(piece, what.role):
            return False
        if what.flag is not None and (self.flags_of(piece) > 0) != what.flag:
            return False
        if what.keywords and not set(what.keywords) <= self.keywords(piece):
            return False
        if what.limit is not None:
            stat, more, number = what.limit
            value = self.value(piece, stat)
            if value < number if more else value > number:
                return False
        return True

    def meant(self, what: Select, player: str, source: Piece | None) -> list[Piece]:
        """All cards that a selector can mean, face up, in the order of the table."""
        if what.q == "self":
            return [] if source is None else [source]
        if what.where == "fleet":
            return [piece for piece in self.fleet(player) if self.is_such(piece, what, player, source)]
        if what.kind == "ship":
            cards = self.fleet(self.atk) + self.fleet(self.dfd)
        elif what.where == "here":
            cards = self.here()
        else:
            slots = [slot for slot in self.sectors if what.where == "any" or slot != self.sector]
            cards = [piece for slot in slots for who in (self.atk, self.dfd) for piece in self.row(who, slot)]
            cards = [piece for piece in cards if piece.face == "up"]
        return [piece for piece in cards if self.is_such(piece, what, player, source)]

    # ---------------------------------------------------------------- what texts forbid

    def forbids(self, piece: Piece, act: str, foe: Piece | None = None) -> bool:
        """Whether a text that is always on forbids a card an act, or that it be done to it by `foe`."""
        for source in self.here():
            for text in source.card.statics:
                if text.kind != "cannot" or text.act != act or text.what is None:
                    continue
                if text.what.q == "self":
                    if source is not piece:
                        continue
                elif not self.is_such(piece, text.what, source.owner, source):
                    continue
                if text.by is None or (foe is not None and self.is_such(foe, text.by, source.owner, source)):
                    return True
        return False

    def shielded(self, piece: Piece, by: str, source: Piece | None) -> bool:
        """Whether a text keeps a card from being chosen by an ability of `source`, or might."""
        return self.forbids(piece, "be targeted", source)

    def source_of(self, piece: Piece, index: int | str) -> dict[str, Any]:
        """A source as the log names it: where the card lies when its ability is announced."""
        zone = "hand" if index == "line" else ("fleet" if piece.zone == "fleet" else "sector")
        return {"zone": zone, "card": piece.id, "ability": index}
