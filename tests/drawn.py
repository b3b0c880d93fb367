"""What a running service gives a program under an address, when it has been drawn."""

from __future__ import annotations

import time
import urllib.error
import urllib.request


def drawn(address: str) -> bytes:
    """The answer; while it says that it is being drawn (503), it is asked again, for four minutes at most."""
    end = time.monotonic() + 240
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                if answer.status == 200:
                    return bytes(answer.read())
        except urllib.error.HTTPError as error:
            error.close()
            if error.code != 503:
                raise
        time.sleep(0.2)
    raise AssertionError(f"{address} was never drawn")
