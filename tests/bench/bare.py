"""The least that takes an upload: Flask and sqlite3 under waitress, one row an upload, beside a child that audits.

python -m tests.bench.bare PORT FOLDER LOG
"""

from __future__ import annotations

import hashlib
import multiprocessing
import sqlite3
import sys
from pathlib import Path

from flask import Flask, request
from waitress import create_server  # type: ignore[import-untyped]


def work(log: str) -> None:
    """Audit one log again and again, as the service's child does while uploads come in."""
    from auditor.jobs.work import audit

    data, parent = Path(log).read_bytes(), multiprocessing.parent_process()
    while parent is not None and parent.is_alive():
        audit("auditor.engine", data, None, ())


def app_over(database: Path) -> Flask:
    app = Flask("bare")

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(database, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        return connection

    with connect() as connection:
        connection.execute("CREATE TABLE upload (sha256 TEXT PRIMARY KEY, name TEXT, data BLOB)")

    @app.post("/upload")
    def upload() -> tuple[str, int]:
        file = request.files["logs"]
        data = file.read()
        with connect() as connection:
            row = (hashlib.sha256(data).hexdigest(), file.filename, data)
            connection.execute("INSERT OR IGNORE INTO upload VALUES (?, ?, ?)", row)
        return "stored", 201

    return app


def main() -> None:
    port, folder, log = sys.argv[1:]
    child = multiprocessing.get_context("spawn").Process(target=work, args=(log,), daemon=True)
    child.start()
    server = create_server(app_over(Path(folder) / "bare.sqlite3"), host="127.0.0.1", port=int(port), threads=8)
    print("listens", flush=True)
    server.run()


if __name__ == "__main__":
    main()
