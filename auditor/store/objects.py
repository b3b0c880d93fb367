"""An archive in a bucket of an S3 server, shared by all machines of an installation: `AUDITOR_ARCHIVE=s3://bucket/prefix`.

The folder of an ordinary archive stands before it: what is put there goes to the bucket before anybody is told that it
is stored, and what is asked for and not there is fetched. So children read files, as they do on one machine. The folder
may be lost at any time; it is kept within a number of bytes, what was not used longest goes first.

Keys, region and endpoint come from the usual AWS_… variables.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO

from auditor.store.archive import Archive, Stored
from auditor.store.database import Busy, CannotOpen

_IN_USE_SECONDS = 600.0
"""What was fetched or asked for within this time stays here, whatever the bounds say: somebody may be about to read it."""


class Unreachable(Busy):
    """The bucket does not answer; nothing of what was being stored is stored."""


class ObjectArchive(Archive):
    """Immutable bytes by their SHA-256, in a bucket, with a folder before it."""

    def __init__(self, root: Path, url: str, limit: int) -> None:
        super().__init__(root)
        try:
            from obstore.store import S3Store
        except ModuleNotFoundError as error:
            raise CannotOpen(f"{error.name} is not installed; install auditor[cluster]") from None
        self._url = url
        self._limit = limit
        # A server of one's own may speak plain HTTP; its address says so.
        plain = os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://")
        self._store = S3Store.from_url(
            url,
            client_options={
                "allow_http": plain,
                "connect_timeout": timedelta(seconds=2),
                "timeout": timedelta(seconds=60),
            },
            retry_config={"max_retries": 4, "retry_timeout": timedelta(seconds=10)},
        )
        self._cleaning = threading.Lock()

    def put(self, stream: IO[bytes], heap: str = "") -> Stored:
        """Store what the stream gives. When this returns, the bytes are in the bucket. Raises Unreachable."""
        stored = super().put(stream, heap)
        if heap:
            return stored
        known = self._size(stored.sha256) == stored.size
        self.keep(stored.sha256)  # also what is there: an object that decayed is put right
        self._clean()
        return Stored(stored.sha256, stored.size, known)

    def take_over(self, heap: str, hashes: Iterable[str]) -> None:
        wanted = list(hashes)
        super().take_over(heap, wanted)
        for sha256 in wanted:
            self.keep(sha256)

    def has(self, sha256: str) -> bool:
        return super().has(sha256) or self._size(sha256) is not None

    def remove(self, sha256: str) -> None:
        import obstore

        super().remove(sha256)
        with self._reaching(), contextlib.suppress(FileNotFoundError):
            obstore.delete(self._store, self._name(sha256))

    def keep(self, sha256: str) -> None:
        import obstore

        with self._reaching():
            obstore.put(self._store, self._name(sha256), self.path(sha256))

    def here(self, sha256: str) -> Path:
        """The file with these bytes, fetched if need be. Raises FileNotFoundError, ValueError, Unreachable."""
        place = self.path(sha256)
        try:
            os.utime(place)
        except FileNotFoundError:
            self._fetch(sha256, place)
            self._clean()
        return place

    def answers(self) -> None:
        """Raises Unreachable where the bucket does not answer."""
        self._size("0" * 64)

    def _fetch(self, sha256: str, place: Path) -> None:
        import obstore

        draft, digest = self._incoming / secrets.token_hex(16), hashlib.sha256()
        try:
            with self._reaching(), draft.open("xb") as out:
                for chunk in obstore.get(self._store, self._name(sha256)):
                    digest.update(chunk)
                    out.write(chunk)
            if digest.hexdigest() != sha256:
                raise ValueError(f"archive object {sha256} has changed in its bucket")
            place.parent.mkdir(exist_ok=True)
            draft.replace(place)
        finally:
            draft.unlink(missing_ok=True)

    def _size(self, sha256: str) -> int | None:
        import obstore

        try:
            with self._reaching():
                return obstore.head(self._store, self._name(sha256))["size"]
        except FileNotFoundError:
            return None

    @staticmethod
    def _name(sha256: str) -> str:
        return f"{sha256[:2]}/{sha256}"

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        from obstore.exceptions import BaseError, NotFoundError

        try:
            yield
        except NotFoundError as error:
            raise FileNotFoundError(errno.ENOENT, "the archive has no such bytes", self._url) from error
        except BaseError as error:
            raise Unreachable(f"the archive {self._url} cannot be reached: {str(error).splitlines()[0]}") from error

    def _clean(self) -> None:
        """Keep the folder within its bytes."""
        if not self._cleaning.acquire(blocking=False):
            return
        try:
            files = sorted((one.stat().st_mtime, one.stat().st_size, one) for one in self.root.glob("??/*"))
            over, safe = sum(size for _at, size, _file in files) - self._limit, time.time() - _IN_USE_SECONDS
            for at, size, file in files:
                if over <= 0 or at > safe:
                    break
                file.unlink(missing_ok=True)
                over -= size
        except FileNotFoundError:
            pass  # somebody else cleans too
        finally:
            self._cleaning.release()
