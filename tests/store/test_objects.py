"""The archive in a bucket, on an S3 server of our own: what is stored is there for every machine, and only whole."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.store.archive import Archive
from auditor.store.objects import ObjectArchive, Unreachable
from tests import servers

LOG = b"some log\n" * 1000


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, servers.Server]]:
    with servers.s3(tmp_path_factory.mktemp("s3")) as (env, server), pytest.MonkeyPatch.context() as patch:
        for name, value in env.items():
            patch.setenv(name, value)
        yield env["AUDITOR_ARCHIVE"], server


def archive(folder: Path, bucket: tuple[str, servers.Server], limit: int = 10**9) -> ObjectArchive:
    return ObjectArchive(folder, bucket[0], limit)


def test_what_one_machine_stores_another_reads(tmp_path, bucket):
    stored = archive(tmp_path / "here", bucket).put(io.BytesIO(LOG))
    assert not stored.known
    there = archive(tmp_path / "there", bucket)
    assert there.read(stored.sha256) == LOG
    assert b"".join(there.parts(stored.sha256)) == LOG
    assert there.begin(stored.sha256, 4) == b"some"
    assert there.put(io.BytesIO(LOG)).known


def test_what_a_child_wrote_into_the_folder_is_kept_in_the_bucket(tmp_path, bucket):
    stored = Archive(tmp_path / "here").put(io.BytesIO(b"a member of a zip"))
    archive(tmp_path / "here", bucket).keep(stored.sha256)
    assert archive(tmp_path / "there", bucket).read(stored.sha256) == b"a member of a zip"


def test_what_nobody_stored_is_not_there(tmp_path, bucket):
    with pytest.raises(FileNotFoundError):
        archive(tmp_path, bucket).read("0" * 64)


def test_an_object_that_was_altered_is_not_served_and_is_put_right_when_it_is_sent_again(tmp_path, bucket):
    import obstore

    here = archive(tmp_path / "here", bucket)
    data = b"altered later"
    sha256 = here.put(io.BytesIO(data)).sha256
    obstore.put(here._store, here._name(sha256), b"altered LATER")
    there = archive(tmp_path / "there", bucket)
    with pytest.raises(ValueError, match="changed in its bucket"):
        there.read(sha256)
    there.put(io.BytesIO(data))
    assert archive(tmp_path / "third", bucket).read(sha256) == data


def test_the_folder_before_the_bucket_stays_within_its_bytes(tmp_path, bucket):
    small = archive(tmp_path / "small", bucket, limit=25_000)
    files = [bytes([n]) * 10_000 for n in range(5)]
    for n, data in enumerate(files):
        place = small.here(small.put(io.BytesIO(data)).sha256)
        os.utime(place, (n, n))  # long ago
    small.put(io.BytesIO(b"one more"))
    kept = list((tmp_path / "small").glob("??/*"))
    assert sum(path.stat().st_size for path in kept) <= 25_000
    assert [small.read(hashlib.sha256(data).hexdigest()) for data in files] == files


def test_a_bucket_that_does_not_answer_is_said_to_be_one_and_nothing_counts_as_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{servers.free_port()}")
    for name, value in servers.S3_KEYS.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(Unreachable, match="s3://gone cannot be reached"):
        ObjectArchive(tmp_path, "s3://gone", 10**9).put(io.BytesIO(b"a log"))
