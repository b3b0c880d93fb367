"""Data packs in the service: checked, listed, given back, never overwritten, and named by the audits that used them."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from auditor import engine, systems
from auditor.ingest import check_packs, packs_with
from auditor.service import BadPack, Incoming, Service
from auditor.service.packs import MOST_PACKS
from auditor.settings import Settings
from auditor.web import create_app
from tests.web.conftest import Browser, Near, settled

GAME = Path(__file__).parents[2] / "fixtures" / "calth" / "games" / "clean-1.jsonl"
HEADER, *EVENTS = GAME.read_bytes().splitlines(keepends=True)


@pytest.fixture
def real(settings: Settings) -> Iterator[Service]:
    """A service with the real engine, in this process."""
    service = Service(settings, "auditor.engine", Near.make)
    service.start()
    yield service
    service.close()


@pytest.fixture
def site(real: Service, settings: Settings) -> Browser:
    return Browser(create_app(settings, real).test_client())


def board(**changes: Any) -> dict[str, Any]:
    """The board of the example game under an id of its own."""
    (pack,) = [pack for pack in systems.game("calth").built_in_packs if pack.id == json.loads(HEADER)["board"]]
    return {**pack.written, "id": "cup-hall", "title": "The hall of the cup", "game": "calth", **changes}


def written(*packs: Any) -> bytes:
    return json.dumps(packs[0] if len(packs) == 1 else packs).encode()


def log_on(name: str) -> bytes:
    """The example game on another board."""
    return json.dumps({**json.loads(HEADER), "board": name}).encode() + b"\n" + b"".join(EVENTS)


def audited(service: Service, data: bytes) -> dict[str, Any]:
    key = service.deliveries.receive([Incoming("game.jsonl", io.BytesIO(data))], service.rulings.own())
    audit = service.deliveries.page(key).files[0].audit
    assert audit is not None
    assert settled(service, audit.key).state == "done", audit.error
    return service.audits.value(audit.key)


def send(site: Browser, *files: tuple[str, bytes]) -> Any:
    return site.post("/packs", packs=[(io.BytesIO(data), name) for name, data in files])


def test_a_pack_is_chosen_by_id_from_the_header_of_a_log_and_named_by_its_audit(real, site):
    assert audited(real, log_on("cup-hall"))["verdict"] == "unreadable"
    assert send(site, ("hall.json", written(board()))).status_code == 303
    (pack,) = [pack for pack in real.packs.all() if pack.received_at]
    value = audited(real, log_on("cup-hall"))
    assert value["verdict"] != "unreadable"
    assert value["coverage"]["resolved"] == len(EVENTS)
    assert {"id": "cup-hall", "sha256": pack.sha256} in value["packs"]
    assert "cup-hall" in site.page("/packs")
    kept = site.get(f"/packs/{pack.sha256}.json")
    assert hashlib.sha256(kept.data).hexdigest() == pack.sha256
    assert json.loads(kept.data) == board()
    assert site.get(f"/api/v1/packs/{pack.sha256}").data == kept.data


def test_a_new_version_stands_beside_the_old_and_an_old_audit_is_verified_with_the_pack_it_used(real, site):
    send(site, ("one.json", written(board(version="1.9"))))
    data = log_on("cup-hall")
    old = audited(real, data)
    send(site, ("two.json", written(board(version="1.10", title="The hall, rebuilt"))))
    new = audited(real, data)
    assert old["packs"] != new["packs"]
    assert old["digest"] != new["digest"]
    assert [pack.version for pack in real.packs.all() if pack.received_at] == ["1.9", "1.10"]
    both = [real.audits.value(line.key) for line in real.audits.page().audits]
    assert sorted(one["digest"] for one in both) == sorted([old["digest"], new["digest"]])
    for value in (old, new):
        (named,) = [pack["sha256"] for pack in value["packs"] if pack["id"] == "cup-hall"]
        packs = packs_with(check_packs([("pack.json", real.packs.canonical(named)[1])]))
        assert engine.verify(value, data, packs) == []
    fixed = audited(real, log_on("cup-hall@1.9"))
    assert fixed["packs"] == old["packs"]


def test_the_same_audit_is_not_made_again_because_of_packs_that_have_nothing_to_do_with_it(real, site):
    data = log_on("ossuary-gate")
    before = audited(real, data)
    send(site, ("hall.json", written(board())))
    assert audited(real, data) == before
    assert real.audits.page().tally == {before["verdict"]: 1}


def test_a_pack_that_another_pack_names_is_found_too(real, site):
    scenario = {"id": "cup-final", "title": "The final", "source": "invented", "game": "calth", "board": "cup-hall"}
    scenario |= {"special_rules": [], "players": 2}
    send(site, ("both.json", written(board(), scenario)))
    header = {**json.loads(HEADER), "scenario": "cup-final"}
    del header["board"]
    value = audited(real, json.dumps(header).encode() + b"\n" + b"".join(EVENTS))
    assert {"cup-hall", "cup-final"} <= {pack["id"] for pack in value["packs"]}


def test_a_pack_is_never_overwritten_and_the_same_again_is_no_change(real, site):
    first = send(site, ("a.json", written(board(version="1"))))
    again = send(site, ("b.json", written(board(version="1"))))
    other = send(site, ("c.json", written(board(version="1", title="Another hall"))))
    assert (first.status_code, again.status_code, other.status_code) == (303, 303, 400)
    assert "a version of its own" in other.text
    ours = send(site, ("d.json", written(board(id="ossuary-gate", title="Not the one you know"))))
    assert ours.status_code == 400
    assert [pack.title for pack in real.packs.all() if pack.received_at] == ["The hall of the cup"]


def test_everything_wrong_with_every_file_is_said_at_once_and_nothing_is_stored(real, site):
    bad = [
        ("one.json", b"{oops"),
        ("two.json", written(board(hexes=[{"q": 0, "r": "x"}]))),
        ("three.json", written(board(game="calht"))),
        ("fine.json", written(board(id="fine"))),
        ("<script>alert(1)</script>.json", b"[]x"),
    ]
    answer = send(site, *bad)
    assert answer.status_code == 400
    for said in ("one.json", "two.json", "hexes", "calth", "Nothing was stored"):
        assert said in answer.text
    assert "<script>alert" not in answer.text
    assert not [pack for pack in real.packs.all() if pack.received_at]


@pytest.mark.parametrize("data", [b"", b"[]", b"[" * 100_000, b"\xff\xfe", b"null", b'{"id": 1e999}'])
def test_packs_may_be_any_bytes(site, data):
    answer = send(site, ("p.json", data))
    assert answer.status_code in (303, 400)
    assert "Data packs" in site.page("/packs")


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", "a\u202eb", "\ud800", "n" * 20_000, "a\0b", "{{ 7*7 }}"]
)
def test_hostile_names_of_packs_are_only_ever_text(site, real, text):
    answer = send(site, ("p.json", written(board(id=text, title=text, version=text[:20]))))
    page = answer.text if answer.status_code == 400 else site.page("/packs")
    assert "<img src=x" not in page
    assert "\u202e" not in page.replace(text, "") or answer.status_code == 303
    for pack in real.packs.all():
        kept = site.get(f"/packs/{pack.sha256}.json")
        assert kept.status_code == 200
        assert "/" not in kept.headers["Content-Disposition"]
        assert "\n" not in kept.headers["Content-Disposition"]


def test_more_bytes_than_may_be_are_refused_unread(site, real, settings):
    real._shared.settings = replace(settings, max_pack_bytes=1000)
    answer = send(site, ("a.json", b"[]" + b" " * 600), ("b.json", b"[]" + b" " * 600))
    assert answer.status_code == 400
    assert "at most 1,000 bytes" in answer.text


def test_no_file_is_said_to_be_missing(site):
    answer = site.post("/packs")
    assert answer.status_code == 400
    assert "no file" in answer.text


def test_the_packs_that_come_with_the_program_are_listed_and_given_too(site, real):
    names = {pack.id for pack in systems.game("calth").built_in_packs}
    assert names <= {pack["id"] for pack in site.get("/api/v1/packs").json}
    for pack in site.get("/api/v1/packs").json:
        assert hashlib.sha256(site.get(pack["pack"]).data).hexdigest() == pack["sha256"]
    assert site.get(f"/packs/{'0' * 64}.json").status_code == 404
    assert site.get("/packs/x.json").status_code == 404


def test_the_api_takes_packs_with_a_token_and_says_what_is_wrong_as_json(site):
    token = {"X-CSRFToken": site.client.get("/api/v1/token").json["token"]}
    refused = site.client.post("/api/v1/packs", data={"packs": (io.BytesIO(b"{"), "p.json")}, headers=token)
    assert refused.status_code == 400
    assert refused.json["error"]["places"][0]["expected"] == "JSON in UTF-8"
    stored = site.client.post("/api/v1/packs", data={"packs": (io.BytesIO(written(board())), "p.json")}, headers=token)
    assert stored.status_code == 201
    assert stored.json[0]["id"] == "cup-hall"
    assert site.client.post("/api/v1/packs").status_code == 400


def test_a_header_that_names_very_many_packs_gets_so_many_and_no_more(real):
    packs = [
        board(id=f"hall-{n}", hexes=[{"q": 0, "r": 0, "kind": "open"}], edges=[], barricades=[])
        for n in range(MOST_PACKS + 5)
    ]
    real.packs.store([("all.json", written(*packs))])
    with real._shared.database.read() as session:
        chosen = real.packs.meant(session, "calth", [pack["id"] for pack in packs])
        assert real.packs.meant(session, "chess", ["hall-1"]) == []
    assert len(chosen) == MOST_PACKS


def test_packs_that_need_too_much_are_refused_as_packs(real, monkeypatch):
    from auditor.jobs.child import ChildFailed

    def too_slow(*_args: Any, **_how: Any) -> Any:
        raise ChildFailed("It needed more than 20 seconds of processor time and was stopped.")

    monkeypatch.setattr(real._child, "call", too_slow)
    with pytest.raises(BadPack, match="20 seconds"):
        real.packs.store([("p.json", b"{}")])
