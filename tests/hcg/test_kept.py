"""What is kept so that it need not be worked out again says what working it out again would say."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from auditor.engine import audit_log
from auditor.systems.hcg.position.places import At, Places
from auditor.systems.hcg.reckoning import resolve, values, victory
from auditor.systems.hcg.records import ZoneName
from tests.hcg.examples import FIXTURES

ZONES: tuple[tuple[ZoneName, int | None], ...] = (
    ("deck", None), ("command_hand", None), ("fleet", None), ("sector", 1), ("sector", 2),
)  # fmt: skip


def test_what_lies_in_a_zone_is_what_all_places_say() -> None:
    rng = Random(7)
    places = Places()
    for _ in range(600):
        instance = f"p1-{rng.randrange(12):02}"
        zone, sector = rng.choice(ZONES)
        if rng.random() < 0.2:
            places.pop(instance, None)
        else:
            places[instance] = At(zone, rng.choice(("p1", "p2")), sector)
        for zone, sector in ZONES:
            there = [(one, at) for one, at in places.items() if (at.zone, at.sector) == (zone, sector)]
            assert [(one, at) for _, one, at in places.lying(zone, sector)] == there
            for player in ("p1", "p2"):
                mine = [(one, at) for one, at in there if at.player == player]
                assert [(one, at) for _, one, at in places.of(player, zone, sector)] == mine
        assert list(places.in_play()) == [(one, at) for one, at in places.items() if at.zone in ("sector", "fleet")]


def test_a_copy_of_places_changes_alone() -> None:
    places = Places()
    places["p1-01"] = places["p1-02"] = At("sector", "p1", 1)
    twin = places.copy()
    del twin["p1-01"]
    twin["p1-03"] = At("sector", "p1", 1)
    assert [one for _, one, _ in places.of("p1", "sector", 1)] == ["p1-01", "p1-02"]
    assert [one for _, one, _ in twin.of("p1", "sector", 1)] == ["p1-02", "p1-03"]


@pytest.mark.parametrize("game", ["faulty-1", "faulty-2"])
def test_an_audit_is_the_same_if_nothing_is_kept_while_an_event_is_judged(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = (FIXTURES / "games" / f"{game}.jsonl").read_bytes()
    kept = audit_log(log)
    monkeypatch.setattr(resolve, "Kept", lambda event: None)
    assert audit_log(log)["digest"] == kept["digest"]


@pytest.mark.parametrize("game", ["faulty-1", "faulty-2", "four-turns", "extra-turn"])
def test_an_audit_is_the_same_if_texts_in_force_and_flag_totals_are_not_kept_from_event_to_event(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = next((FIXTURES / "games").glob(f"{game}.json*")).read_bytes()
    kept = audit_log(log)
    monkeypatch.setattr(values, "found_before", lambda position, there: None)
    monkeypatch.setattr(victory, "counted_from", lambda position, player: None)
    assert audit_log(log)["digest"] == kept["digest"]


def test_moves_in_play_are_counted_and_changes_of_stance_are_not() -> None:
    places = Places()
    places["p1-01"] = At("sector", "p1", 1)
    places["p1-02"] = At("command_hand", "p1")
    moved = places.moved
    places["p1-01"] = At("sector", "p1", 1, stance="locked")
    places["p1-02"] = At("discard", "p1")
    assert places.moved == moved
    places["p1-01"] = At("sector", "p1", 1, "down", "locked")
    assert places.moved > moved
    for change in (
        lambda: places.__setitem__("p1-01", At("sector", "p1", 2, "down", "locked")),
        lambda: places.__setitem__("p1-02", At("fleet", "p1")),
        lambda: places.__setitem__("p1-01", At("discard", "p1")),
        lambda: places.pop("p1-02"),
    ):
        moved = places.moved
        change()
        assert places.moved > moved


def test_texts_in_force_are_looked_for_only_where_cards_have_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    look = values._in_force

    def counted(*what: Any) -> Any:
        nonlocal looked
        looked += 1
        return look(*what)

    monkeypatch.setattr(values, "_in_force", counted)
    log = (FIXTURES / "games" / "four-turns.json").read_bytes()
    audit_log(log)
    kept, looked = looked, 0
    monkeypatch.setattr(values, "found_before", lambda position, there: None)
    audit_log(log)
    assert 0 < 3 * kept < looked
