"""How long small logs wait behind hostile ones: `python -m tests.bench.turns`, with the small engine of the tests.

Two logs that never end, then many that need a tenth of a second of processor time each; the embedded service's settings.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from pathlib import Path

from auditor.service import Incoming, Service
from auditor.settings import Settings
from tests.web.conftest import ENGINE, log_of


def main(small: int = 300, seconds: float = 0.1) -> None:
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Settings(data_dir=Path(folder) / "data", load_examples=False), ENGINE)
        service.start()
        time.sleep(20.0)  # a service that runs already
        for n in range(2):
            log = log_of({"type": "spin"}, title=f"hostile {n}")
            service.deliveries.receive([Incoming(f"hostile-{n}", io.BytesIO(log))], service.rulings.own())
        logs = [log_of({"type": "work", "seconds": seconds}, title=f"small {n}") for n in range(small)]
        begun = time.monotonic()
        for at in range(0, small, 60):
            files = [Incoming(f"{at + n}", io.BytesIO(log)) for n, log in enumerate(logs[at : at + 60])]
            service.deliveries.receive(files, service.rulings.own())
        first = None
        while (done := service.audits.page().tally.get("clean", 0)) < small:
            if done and first is None:
                first = time.monotonic() - begun
            if time.monotonic() - begun > 600:
                break
            time.sleep(0.05)
        print(f"first of {small} after {first or -1:.1f} s, {done} after {time.monotonic() - begun:.1f} s")
        service.close()


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:2]))
