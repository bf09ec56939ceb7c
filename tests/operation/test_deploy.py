"""The files that operators read and copy: README, example of settings, systemd unit and container file."""

from __future__ import annotations

import asyncio
import configparser
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from discord import Permissions
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sqlalchemy import make_url
from typer.main import get_command

from bot import __version__, client
from bot.cluster import membership
from bot.compute import queue
from bot.delivery import dispatcher
from bot.operation import WRONG_SETTINGS, command_line
from bot.settings import Settings
from bot.storage.database import Database
from bot.views.permissions import PERMISSIONS, SCOPES
from deploy.release_notes import notes
from tests.operation.conftest import Start
from tests.support.postgresql import BINARIES, needs_postgresql, running_server
from tests.support.processes.loopback import Loopback
from tests.support.processes.processes import ROOT, bot

README = (ROOT / "README.md").read_text(encoding="utf-8")
RUNNING = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
COMPOSE = ROOT / "deploy" / "compose.yaml"
UNIT = ROOT / "deploy" / "tavoliere.service"
UNITS = sorted((ROOT / "deploy").glob("*.service"))
CONTAINER = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
VARIABLES = {name.upper() for name in Settings.model_fields}
COMMANDS = set(get_command(command_line.app).commands)  # type: ignore[attr-defined]
ONLY_EXAMPLES = {
    "DATABASE_DIRECT_URL",
    "DATABASE_PASSWORD_FILE",
    "SHARDS",
    "DISCORD_TOKEN_FILE",
    "DISCORD_API_URL",
    "METRICS_PORT",
    "SOURCE_URL",
    "WEB_PORT",
    "WEB_PROXIES",
    "WEB_URL",
    "DISCORD_TOKEN",
    "THINKERS",
}


def given(text: str) -> list[tuple[str, str]]:
    """Return the variables an example of settings names, with their values."""
    return re.findall(r"^#?([A-Z_]+)=(.*)$", text, re.MULTILINE)


def test_the_example_names_every_setting_and_no_other() -> None:
    # SLOTS is known only to say that it is gone.
    assert {name for name, _ in given(EXAMPLE)} == VARIABLES - {"SLOTS"}


def test_the_example_shows_the_settings_as_they_are_by_themselves() -> None:
    shown = dict(reversed([(name, value) for name, value in given(EXAMPLE) if name not in ONLY_EXAMPLES]))
    usual = {name.upper(): field.default for name, field in Settings.model_fields.items()}
    assert {name: value.casefold() for name, value in shown.items()} == {
        name: str(usual[name]).casefold() for name in shown
    }


async def test_the_example_can_be_copied_and_every_line_of_it_used(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(EXAMPLE, encoding="utf-8")
    told = await bot(tmp_path, "run")
    assert "DISCORD_TOKEN is not set" in told.text
    used = re.sub(r"^#([A-Z_]+=)", r"\1", EXAMPLE, flags=re.MULTILINE).replace("DATABASE_URL=postgresql", "#")
    (tmp_path / ".env").write_text(used.replace("DISCORD_TOKEN=", "DISCORD_TOKEN=MTIz.abc.def"), encoding="utf-8")
    assert (await bot(tmp_path, "check")).code == 0


def test_readme_and_the_page_on_running_it_name_every_command_and_no_other() -> None:
    assert set(re.findall(r"python -m bot (\w+)", README + RUNNING)) == COMMANDS


def test_readme_and_the_page_on_running_it_name_only_variables_that_there_are() -> None:
    named = set(re.findall(r"`([A-Z]+_[A-Z_]+)[=`]", README + RUNNING))
    assert named
    assert named <= VARIABLES


def test_the_variables_for_tests_that_the_page_for_contributors_names_are_read_by_tests() -> None:
    named = set(re.findall(r"TAVOLIERE_\w+", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert named
    tests = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").glob("*/*.py"))
    assert [name for name in sorted(named) if f'"{name}"' not in tests] == []


def test_the_readme_asks_for_the_permissions_the_bot_uses() -> None:
    link = re.search(r"scope=(\S+)&permissions=(\d+)", README)
    assert link is not None
    assert link[1].split("+") == list(SCOPES)
    assert int(link[2]) == PERMISSIONS.value
    listed = re.search(r"these permissions and no others: ([^.]+)\.", README)
    assert listed is not None
    named = {"_".join(name.split()).lower().replace("channels", "channel") for name in listed[1].split(",")}
    assert Permissions(**dict.fromkeys(named, True)) == PERMISSIONS


def test_the_container_holds_what_it_copies_and_runs_a_command_there_is() -> None:
    for sources in re.findall(r"^COPY (.+) \S+$", CONTAINER, re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists(), source
    run = json.loads(re.findall(r"^CMD (.+)$", CONTAINER, re.MULTILINE)[0])
    assert run[:3] == ["python", "-m", "bot"]
    assert run[3] in COMMANDS
    (environment,) = re.findall(r"^ENV (.+)$", CONTAINER, re.MULTILINE)
    wanted = dict(pair.split("=", 1) for pair in environment.split())
    assert wanted.keys() <= VARIABLES
    Settings(_env_file=None, **{name.lower(): value for name, value in wanted.items()})
    assert wanted["DATABASE_URL"].endswith("////data/tavoliere.db")
    assert re.search(r"^VOLUME /data$", CONTAINER, re.MULTILINE)


def test_the_container_has_the_tested_versions_of_all_it_needs_each_with_hashes() -> None:
    pinned = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    tested = {canonicalize_name(name): version for name, version in pinned}
    lines = (ROOT / "deploy" / "requirements.txt").read_text(encoding="utf-8")
    held = dict(re.findall(r"^([\w.-]+)==(\S+)[^\n]*\\\n    --hash=sha256:", lines, re.MULTILINE))
    assert len(held) == len(re.findall(r"^\w", lines, re.MULTILINE)), "one has no hash"
    assert {name: version for name, version in held.items() if tested.get(name, version) != version} == {}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [*project["project"]["dependencies"], *project["project"]["optional-dependencies"]["postgres"]]
    assert {canonicalize_name(Requirement(one).name) for one in needed} <= held.keys()
    assert project["build-system"]["requires"] == [f"setuptools=={held['setuptools']}"]


async def test_the_health_check_of_the_container_tells_well_from_unwell(
    discord: Loopback, start: Start, port: int
) -> None:
    check = json.loads(re.findall(r"^HEALTHCHECK .*?CMD (.+)$", CONTAINER, re.MULTILINE)[0])
    (wanted,) = re.findall(r"METRICS_PORT=(\d+)", CONTAINER)
    assert check[0] == "python"
    checked = [sys.executable, *(part.replace(f":{wanted}/", f":{port}/") for part in check[1:])]
    assert str(port) in checked[-1]

    async def code() -> int:
        return (await asyncio.to_thread(subprocess.run, checked, capture_output=True, check=False)).returncode

    assert await code() != 0
    with discord.held("GET /gateway"):
        running = await start(metrics_port=port)
        await discord.until(lambda: discord.waiting)
        assert await code() != 0
    await running.ready()
    assert await code() == 0


def unit(file: Path = UNIT) -> configparser.SectionProxy:
    """Return what a unit says of the service."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(file)
    return parser["Service"]


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_the_unit_runs_a_command_there_is_and_gives_up_where_trying_again_does_not_help(file: Path) -> None:
    service = unit(file)
    given = dict(pair.split("=") for pair in service.get("Environment", "").replace("%i", "1").split())
    assert given.keys() <= VARIABLES
    Settings.model_validate({name.lower(): value for name, value in given.items()})
    python, *module, command = service["ExecStart"].split()
    assert (Path(python).name, module) == ("python", ["-m", "bot"])
    assert command in COMMANDS
    assert int(service["RestartPreventExitStatus"]) == WRONG_SETTINGS
    assert service["WorkingDirectory"] == f"/var/lib/{service['StateDirectory']}"


def test_the_unit_waits_longer_than_a_stop_with_five_shards_takes() -> None:
    # With another bot that takes over what is being worked on is waited for twice.
    succeeding = membership.LONGEST + 5 * membership.FOR_A_SHARD + dispatcher.SHUTDOWN_TIMEOUT
    handing_over = succeeding + membership.ANSWERED_WITHIN + membership.GIVEN_UP + client.SHUTDOWN_TIMEOUT
    stopping = handing_over + client.SHUTDOWN_TIMEOUT
    assert int(unit()["TimeoutStopSec"]) > stopping + queue.TIMEOUT


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_systemd_has_nothing_to_say_against_the_unit(tmp_path: Path, file: Path) -> None:
    placed = tmp_path / file.name.replace("@", "@1")
    placed.write_text(file.read_text().replace(unit(file)["ExecStart"].split()[0], sys.executable))
    for asked in (["verify"], ["security", "--offline=true", "--threshold=29"]):
        told = subprocess.run(["systemd-analyze", *asked, placed], capture_output=True, text=True, check=False)
        assert [line for line in told.stderr.splitlines() if placed.name in line] == []
    assert told.returncode == 0, told.stdout


def test_the_units_for_several_bots_say_the_same_as_the_one_for_one() -> None:
    one, several = dict(unit()), dict(unit(UNIT.with_name("tavoliere@.service")))
    assert several.pop("Environment") == "METRICS_PORT=946%i THINKERS=0"
    assert several == one
    ports = {unit(file)["Environment"].split()[0] for file in UNITS if "@" in file.name}
    assert len(ports) == 2


def compose() -> dict[str, Any]:
    """Return what the compose file says."""
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    return found


def ours() -> dict[str, dict[str, Any]]:
    """Return the services that run the bot's image."""
    return {name: service for name, service in compose()["services"].items() if service["image"] == "tavoliere"}


def test_the_compose_file_has_two_bots_and_a_thinker_with_settings_there_are() -> None:
    assert set(ours()) == {"bot-1", "bot-2", "thinker"}
    assert "command" not in ours()["bot-1"] | ours()["bot-2"]
    assert ours()["thinker"]["command"] == ["python", "-m", "bot", "think"]
    assert "think" in COMMANDS
    for service in ours().values():
        wanted = service["environment"]
        assert wanted.keys() <= VARIABLES
        Settings(_env_file=None, **{name.lower(): value for name, value in wanted.items()})
        # The image's health check asks on the port of the image's own settings.
        assert f"METRICS_PORT={wanted['METRICS_PORT']}" in CONTAINER
        assert wanted["METRICS_HOST"] == "0.0.0.0"
        assert (ROOT / "deploy" / service["build"]["context"] / service["build"]["dockerfile"]).samefile(
            ROOT / "deploy" / "Containerfile"
        )
        assert int(service["stop_grace_period"].removesuffix("s")) == int(unit()["TimeoutStopSec"])
        assert service["depends_on"]["database"]["condition"] == "service_healthy"
        assert service["logging"]["driver"] == "json-file"
        assert {"max-size", "max-file"} <= service["logging"]["options"].keys(), "logs are rotated"
    bots = [service for name, service in ours().items() if name.startswith("bot")]
    assert [bot["environment"]["THINKERS"] for bot in bots] == ["0", "0"]
    assert int(ours()["thinker"]["environment"]["THINKERS"]) > 0


def test_no_secret_stands_in_the_compose_file_and_each_is_given_to_whoever_needs_it() -> None:
    found = compose()
    for name, service in found["services"].items():
        for variable, value in service["environment"].items():
            if variable.endswith("_FILE"):
                assert value.removeprefix("/run/secrets/") in service["secrets"], name
            assert not re.search(r"TOKEN$|PASSWORD$", variable), name
        assert set(service["secrets"]) <= set(found["secrets"])
    assert all("DISCORD_TOKEN_FILE" in ours()[name]["environment"] for name in ("bot-1", "bot-2"))
    assert "discord_token" not in ours()["thinker"]["secrets"]
    beginning = COMPOSE.read_text(encoding="utf-8").partition("name:")[0]
    for secret in found["secrets"].values():
        assert f"secrets/{Path(secret['file']).name}" in beginning
    passwords = [make_url(service["environment"]["DATABASE_URL"]).password for service in ours().values()]
    assert passwords == [None, None, None]


def test_only_bots_reach_the_network_outside_and_only_they_and_thinkers_the_database() -> None:
    found = compose()
    assert found["networks"] == {"inside": {"internal": True}, "metrics": {"internal": True}, "outside": {}}
    assert found["services"]["database"]["networks"] == ["inside"]
    assert {name for name, service in found["services"].items() if "outside" in service["networks"]} == {
        "bot-1",
        "bot-2",
    }
    # So that whoever collects metrics needs to be in one network only.
    assert all("metrics" in service["networks"] for service in ours().values())
    assert all("ports" not in service for service in found["services"].values())
    volumes = {volume.partition(":")[0] for service in found["services"].values() for volume in service["volumes"]}
    assert {volume for volume in volumes if not volume.startswith(".")} == set(found["volumes"])


def test_the_database_of_the_compose_file_is_made_for_the_role_the_bots_use() -> None:
    (script,) = (volume for volume in compose()["services"]["database"]["volumes"] if volume.startswith("./"))
    made = (ROOT / "deploy" / script.split(":")[0]).read_text(encoding="utf-8")
    assert os.access(ROOT / "deploy" / "database.sh", os.X_OK)
    page = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
    (documented,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    assert documented.replace("'secret'", ":'password'") in made
    url = make_url(ours()["bot-1"]["environment"]["DATABASE_URL"])
    assert (url.host, url.username, url.database) == ("database", "tavoliere", "tavoliere")
    assert f"CREATE ROLE {url.username} LOGIN" in made
    assert f"CREATE DATABASE {url.database} OWNER {url.username};" in made
    # pg_dump in the image copes with servers up to its own version.
    assert compose()["services"]["database"]["image"].endswith("postgres:17")
    assert "up to version 17" in CONTAINER


@pytest.mark.slow
@needs_postgresql
async def test_the_script_of_the_compose_file_makes_a_database_for_the_role_with_the_password(tmp_path: Path) -> None:
    secret = tmp_path / "database_password"
    secret.write_text("it's a secret\n")
    script = (ROOT / "deploy" / "database.sh").read_text(encoding="utf-8")
    placed = tmp_path / "database.sh"
    placed.write_text(script.replace(f"/run/secrets/{secret.name}", str(secret)))
    with running_server("postgres", "hush-hush") as address:
        url = make_url(address)
        server = {"PGHOST": str(url.host), "PGPORT": str(url.port), "PGPASSWORD": "hush-hush"}
        found = os.pathsep.join([*BINARIES, os.environ["PATH"]])
        around = os.environ | server | {"PATH": found}
        making = await asyncio.create_subprocess_exec("sh", placed, env=around)
        assert await making.wait() == 0
        database = Database(url.set(username="tavoliere", password="it's a secret", database="tavoliere"))
        await database.open()
        await database.close()


def test_a_release_is_told_by_the_changelog_and_its_tag_is_the_version() -> None:
    source = '__version__ = "1.2.3"\n'
    changelog = "# Changelog\n\n## 1.2.3\n\n- New.\n\n## 1.2.2\n\n- Old.\n"
    assert notes("v1.2.3", changelog, source) == "- New."
    with pytest.raises(ValueError, match=r"v1\.2\.4 is not v and the version"):
        notes("v1.2.4", changelog, source)
    with pytest.raises(ValueError, match=r"says nothing of 1\.2\.3"):
        notes("v1.2.3", changelog.replace("1.2.3", "1.2.2"), source)
    assert notes(f"v{__version__}", CHANGELOG, (ROOT / "bot" / "__init__.py").read_text(encoding="utf-8"))


def test_the_release_publishes_only_what_the_tests_have_passed() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]
    assert (ROOT / jobs["test"]["uses"]).is_file()
    assert {name for name, job in jobs.items() if "test" in job.get("needs", [])} == {"wheel"}
    assert jobs["publish"]["needs"] == jobs["image"]["needs"] == "wheel"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    scripts = [step["run"] for step in jobs["wheel"]["steps"] if "run" in step]
    assert any("deploy/release_notes.py" in script for script in scripts)
