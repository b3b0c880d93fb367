"""The tests of a browser once more, before two web processes, a worker, PostgreSQL, Redis and an S3 server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.cluster import Cluster, Front
from tests.e2e.test_reports import (
    test_an_uploaded_game_is_read_in_the_browser_and_the_same_bytes_twice_are_one_upload as test_upload,  # noqa: F401
)
from tests.e2e.test_reports import (
    test_every_error_of_a_damaged_file_is_shown_with_its_place as test_errors,  # noqa: F401
)
from tests.serving import Site

pytestmark = [pytest.mark.browser, pytest.mark.servers, pytest.mark.timeout(900)]


@pytest.fixture
def site(made: Cluster) -> Iterator[Site]:
    """Whatever the browser asks goes to one web process and then to the other."""
    with closing(Front(made.addresses)) as front:
        yield Site(front.address, {})
