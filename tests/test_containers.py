"""compose.yaml and the Dockerfile are not built by the tests; what they say is held to the program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from auditor.cli import app
from auditor.settings import VARIABLES, Settings

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    return services


def test_its_settings_are_those_of_the_program_and_contradict_nothing(services):
    ours = [one["environment"] for one in services.values() if "build" in one]
    assert len(ours) == 4
    for environment in ours:
        named = {name: str(value) for name, value in environment.items() if name.startswith("AUDITOR_")}
        assert set(named) == set(VARIABLES.values())
        assert Settings.of_environment(named).broker_url


def test_its_commands_are_commands_of_the_program(services):
    for one in services.values():
        if "build" in one:
            program, *words = one["command"]
            assert program == "auditor"
            done = CliRunner().invoke(app, [words[0], "--help"])
            assert done.exit_code == 0
            for option in [word for word in words if word.startswith("--")]:
                assert option in re.sub(r"\x1b\[[0-9;]*m", "", done.output)


def test_nothing_of_it_listens_to_other_machines(services):
    for name, one in services.items():
        assert one.get("network_mode") == "host", name
        assert "ports" not in one, name
        said = " ".join(map(str, one.get("command", ())))
        if name in ("postgres", "redis", "s3"):
            assert "127.0.0.1" in said, name


def test_the_image_is_made_by_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    made = re.findall(r"^RUN make ([a-z-]+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert made and set(made) <= targets
