"""Data packs: uploaded, checked, listed, given back, never overwritten; and which of them a log may mean."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import rfc8785
from sqlmodel import Session

from auditor import systems
from auditor.jobs.child import ChildFailed, SharedChild
from auditor.jobs.unpack import problem
from auditor.service.games import Games
from auditor.service.shared import Shared, checked_hex
from auditor.service.values import BadPack, NotFound, StoredPack
from auditor.store import queries
from auditor.store.cleaning import clean, is_clean
from auditor.store.tables import NAME, SHA256, Pack
from auditor.systems.packs import newness

MOST_PACKS = 40
"""At most so many uploaded packs go with one audit."""


class Packs:
    """A pack is known by game, kind, id and version, and these never come to mean anything else."""

    def __init__(self, shared: Shared, games: Games, child: SharedChild) -> None:
        self._shared = shared
        self._games = games
        self._child = child

    def all(self) -> list[StoredPack]:
        """Every pack that logs can name, those that come with the program first."""
        with self._shared.database.read() as session:
            uploaded = [_stored(row) for row in queries.packs(session)]
        return [*self._built_in(), *uploaded]

    def canonical(self, sha256: str) -> tuple[StoredPack, bytes]:
        """A pack and its canonical JSON, by the hash that audits name it by. Raises NotFound."""
        with self._shared.database.read() as session:
            row = queries.pack(session, checked_hex(sha256, SHA256))
        if row is not None:
            return _stored(row), self._shared.archive.read(row.sha256)
        for game in self._known_games():
            for pack in systems.game(game).built_in_packs:
                if pack.sha256 == sha256:
                    data = rfc8785.dumps(dict(pack.written))
                    return _of_the_program(pack, len(data)), data
        raise NotFound("pack")

    def store(self, files: Iterable[tuple[str, bytes]]) -> list[StoredPack]:
        """Store the packs of some files, (name, content) each; all or none. The same again is no change.

        They are checked by a child, because a file may hold anything. Raises BadPack with everything that is wrong.
        """
        settings = self._shared.settings
        given = [(clean(name, NAME) or "unnamed", data) for name, data in files]
        if not given:
            raise BadPack([problem("no file", "a file of data packs")])
        if sum(len(data) for _name, data in given) > settings.max_pack_bytes:
            raise BadPack([problem("more bytes", f"at most {settings.max_pack_bytes:,} bytes of packs in one go")])
        try:
            found, wrong = self._child.call(
                "read_packs",
                self._games.engine_name,
                given,
                self._named_in(given),
                seconds=settings.draw_seconds,
                patience=settings.patience,
            )
        except ChildFailed as failure:
            raise BadPack([problem(f"packs that could not be checked. {failure}", "smaller packs")]) from failure
        wrong += [misfit for pack in found for misfit in _not_storable(pack)]
        if wrong:
            raise BadPack(wrong)
        for pack in found:
            self._shared.archive.put(io.BytesIO(pack["canonical"]))
        with self._shared.database.one_at_a_time() as session:
            there = {(row.game, row.kind, row.name, row.version): row for row in queries.packs(session)}
            kept: list[Pack] = []
            for pack in found:
                name = (pack["game"], pack["kind"], pack["id"], pack["version"])
                row = there.get(name)
                if row is not None and row.sha256 != pack["sha256"]:
                    wrong.append(_taken(pack))
                    continue
                if row is None:
                    row = there[name] = Pack(
                        sha256=pack["sha256"],
                        game=pack["game"],
                        kind=pack["kind"],
                        name=pack["id"],
                        version=pack["version"],
                        title=clean(pack["title"], 200),
                        size=len(pack["canonical"]),
                        mentions=pack["mentions"],
                    )
                    session.add(row)
                kept.append(row)
            if wrong:
                raise BadPack(wrong)
            session.flush()
        return [_stored(row) for row in kept]

    def meant(self, session: Session, game: str | None, mentioned: Iterable[str]) -> list[str]:
        """The hashes of the uploaded packs that a log may mean, by what its header mentions: those whose id or "id@version"
        is among it, or in a pack that is. An id alone means the newest version. Sorted.

        Which of them are used the game decides, and its audit says; a pack more does no harm.
        """
        if game is None:
            return []
        known = session.info.setdefault("packs", {})  # they do not change within one transaction
        rows = known[game] if game in known else known.setdefault(game, queries.pack_names(session, game))
        if not rows:
            return []
        by_name: dict[str, list[str]] = {}
        newest: dict[tuple[str, str], tuple[Any, str]] = {}
        for sha256, kind, name, version in rows:
            by_name.setdefault(f"{name}@{version}", []).append(sha256)
            best = newest.get((kind, name))
            if best is None or best[0] <= newness(version):
                newest[kind, name] = (newness(version), sha256)
        for (_kind, name), (_newness, sha256) in newest.items():
            by_name.setdefault(name, []).append(sha256)
        chosen: set[str] = set()
        texts = set(mentioned)
        while texts and len(chosen) < MOST_PACKS:
            found = sorted({sha256 for text in texts & by_name.keys() for sha256 in by_name[text]} - chosen)
            chosen.update(found[: MOST_PACKS - len(chosen)])
            texts = {text for sha256 in found for text in queries.pack_mentions(session, sha256)}
        return sorted(chosen)

    def files(self, hashes: Sequence[str]) -> tuple[tuple[str, bytes], ...]:
        """Hash and canonical JSON of some packs, for the child that audits with them."""
        return tuple((sha256, self._shared.archive.read(sha256)) for sha256 in hashes)

    def reads_tables(self, game: str) -> bool:
        """Whether packs of a game may come as CSV."""
        return game in self._known_games() and systems.game(game).packs.table is not None

    def _named_in(self, given: Sequence[tuple[str, bytes]]) -> tuple[tuple[str, bytes], ...]:
        """The stored packs that some files may name, of the games whose packs name each other."""
        games = [game for game in self._known_games() if systems.game(game).packs.fits is not None]
        with self._shared.database.read() as session:
            rows = [row for game in games for row in queries.pack_names(session, game)]
        named = [sha256 for sha256, _, name, _ in rows if any(name.encode() in data for _, data in given)]
        return self.files(named[-MOST_PACKS:])

    def _known_games(self) -> list[str]:
        return [game for game in systems.game_keys() if game in self._games.rulesets()]

    def _built_in(self) -> list[StoredPack]:
        packs = [pack for game in self._known_games() for pack in systems.game(game).built_in_packs]
        return [_of_the_program(pack, len(rfc8785.dumps(dict(pack.written)))) for pack in packs]


def _stored(row: Pack) -> StoredPack:
    return StoredPack(row.game, row.kind, row.name, row.version, row.title, row.sha256, row.size, row.received_at)


def _of_the_program(pack: Any, size: int) -> StoredPack:
    return StoredPack(pack.game, pack.kind, pack.id, pack.version, pack.title, pack.sha256, size, None)


def _not_storable(pack: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is wrong with a pack that its game can use and a database cannot hold."""
    where = f"{pack['game']} {pack['kind']} {clean(pack['id'], 80)}"
    return [
        problem(clean(pack[key], 80), f"a text of at most {most} characters that can be stored", f"{where}: {key}")
        for key, most in (("id", NAME), ("version", 32))
        if not is_clean(pack[key]) or len(pack[key]) > most
    ]


def _taken(pack: Mapping[str, Any]) -> dict[str, Any]:
    """That a name is another pack's already."""
    what = f"version {pack['version']}" if pack["version"] else "no version"
    return problem(
        clean(pack["id"], 80),
        f"a version of its own: another {pack['kind']} of this id with {what} is stored, and it stays as it is",
        f"{pack['game']} {pack['kind']}: version",
    )
