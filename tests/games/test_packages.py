"""Games of other packages: found by their entry points, and left out with a reason where they break the contract."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tavoliere_tic_tac_toe import TIC_TAC_TOE

from bot.games import GAMES, OWN, Games, packages

ROOT = Path(__file__).parents[2]
GAME = (
    "from tavoliere_tic_tac_toe import TicTacToe\n"
    "GAME = type('Other', (TicTacToe,), {{'name': 'Other', **{facts}}})()\n"
)

RAISING = (
    "from tavoliere_tic_tac_toe import TicTacToe\n"
    "class Other(TicTacToe):\n"
    "    key, name = 'odd', 'Odd'\n"
    "    def {method}(self, *args):\n"
    "        return 1 / 0 if {when} else super().{method}(*args)\n"
    "GAME = Other()\n"
)
POSITIONS = (
    "from tavoliere_tic_tac_toe import TicTacToe, TicTacToePosition\n"
    "class Odd(TicTacToePosition):\n"
    "    def {method}(self, *args):\n"
    "        {body}\n"
    "class Other(TicTacToe):\n"
    "    key, name = 'odd', 'Odd'\n"
    "    def first(self, players):\n"
    "        return Odd()\n"
    "    def decode(self, text):\n"
    "        return Odd()\n"
    "GAME = Other()\n"
)

VARIANTS = (
    "from bot.games.game import Variant\nfrom tavoliere_tic_tac_toe import TicTacToe\n"
    "one = Variant({key!r}, {name!r}, range(2, 3))\n"
    "GAME = type('Other', (TicTacToe,), {{'key': 'odd', 'name': 'Other', 'variants': (one,) * {count}}})()\n"
)

MOVERS = (
    "from tavoliere_tic_tac_toe import TicTacToe, TicTacToePosition\n"
    "Odd = type('Odd', (TicTacToePosition,), {{'__slots__': (), 'to_move': {to_move}}})\n"
    "start = lambda self, players, **options: Odd()\n"
    "GAME = type('Other', (TicTacToe,), {{'key': 'odd', 'name': 'Other', 'start': start}})()\n"
)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder on the path; ``offer`` puts packages into it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def offer(folder: Path, name: str, source: str, value: str = "GAME") -> None:
    """Install a package with one module of that name, which offers a game."""
    module = f"offered_{name}"
    sys.modules.pop(module, None)
    (folder / f"{module}.py").write_text(source, encoding="utf-8")
    info = folder / f"{module}-2.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 2.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[tavoliere.games]\n{name} = {module}:{value}\n", encoding="utf-8")


def test_the_game_of_an_installed_package_follows_those_of_the_bot() -> None:
    assert list(GAMES)[: len(OWN)] == [game.key for game in OWN]
    assert "tic-tac-toe" in list(GAMES)[len(OWN) :]
    assert GAMES["tic-tac-toe"] is TIC_TAC_TOE
    assert GAMES.rejected == ()


def test_a_package_installed_beside_them_is_found(install: Path) -> None:
    offer(install, "hex7", GAME.format(facts={"key": "hex7"}))
    found = Games(OWN)
    assert set(found) == {*GAMES, "hex7"}
    assert found.rejected == ()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        ("raise SystemExit('needs numpy')\n", "SystemExit: needs numpy"),
        ("OTHER = 1\n", "AttributeError: module 'offered_odd' has no attribute 'GAME'"),
        ("GAME = 'hex'\n", "offered_odd:GAME is no instance of bot.games.game.Game"),
        (GAME.format(facts={"key": "gyges"}), "another game has the key 'gyges'"),
        (GAME.format(facts={"key": "odd", "name": "GYGÈS"}), "another game has the name 'GYGÈS'"),
        (GAME.format(facts={"key": "odd", "name": " "}), "its name has 0 characters, and a name has from 1 to 100"),
        (GAME.format(facts={"key": "odd", "name": "x" * 101}), "its name has 101 characters, and a name has"),
        (
            GAME.format(facts={"key": "all"}),
            "the key 'all' is not lower-case letters, digits and hyphens",
        ),
        (GAME.format(facts={"key": "Hex 7"}), "the key 'Hex 7' is not lower-case letters, digits and hyphens"),
        (GAME.format(facts={"key": "odd", "rules_version": "new"}), "the version of the rules 'new' is not a number"),
        (GAME.format(facts={"key": "odd", "variants": ()}), "it has 0 variants, and a game has from 1 to 25"),
        (
            VARIANTS.format(key="Three by three", name="Small", count=1),
            "the key of its variant 'Three by three' is not lower-case letters, digits and hyphens",
        ),
        (VARIANTS.format(key="small", name="", count=1), "the name of its variant 'small' has 0 characters"),
        (VARIANTS.format(key="small", name="Small", count=26), "it has 26 variants, and a game has from 1 to 25"),
        (GAME.format(facts={"key": "odd", "seat_names": ("One",)}), "it has 1 seat names for 2 seats"),
        (
            GAME.format(facts={"key": "odd", "players": 3}).replace("3", "range(1, 3)"),
            "it is for range(1, 3), and",
        ),
        *(
            (
                MOVERS.format(to_move=to_move),
                f"variant 'standard' for 2 players: at the start to_move is {to_move}, ",
            )
            for to_move in ("frozenset({0, 1})", "frozenset({0})", "None", "2", "True")
        ),
        (
            GAME.format(facts={"key": "odd", "decode": None}),
            "variant 'standard' for 2 players: decode raises TypeError: 'NoneType' object is not callable",
        ),
        (GAME.format(facts={"key": "odd", "summary": None}), "its summary is missing"),
        (GAME.format(facts={"key": "odd", "designer": 7}), "its designer is 7, and has to be text"),
        (GAME.format(facts={"key": "odd", "designer": " "}), "its designer is empty"),
        (
            GAME.format(facts={"key": "odd", "summary": "x" * 301}),
            "a summary of it has 301 characters, and it has",
        ),
        (GAME.format(facts={"key": "odd", "designer": "x" * 101}), "a designer of it has 101 characters, and it has"),
        (GAME.format(facts={"key": "odd", "seat_names": ("x" * 41, "y")}), "a seat name of it has 41 characters, and"),
        (GAME.format(facts={"key": "odd", "seat_names": ("One", "One")}), "two seats have the same name"),
        (GAME.format(facts={"key": "odd", "positions": ("no class",)}), "its positions are not classes of positions"),
        (GAME.format(facts={"key": "odd", "showpiece": "nonsense"}), "ValueError: a position of tic-tac-toe is"),
        (
            RAISING.format(method="draw", when="args[0].cells.count(chr(46)) < 5"),
            "variant 'standard' for 2 players: draw raises ZeroDivisionError: division by zero",
        ),
        (RAISING.format(method="pieces_in_words", when="True"), "variant 'standard' for 2 players: draw raises Zero"),
        (RAISING.format(method="move_in_words", when="True"), "variant 'standard' for 2 players: move_in_words raises"),
        (
            RAISING.format(method="canonical_form", when="True"),
            "variant 'standard' for 2 players: canonical_form",
        ),
        (RAISING.format(method="search_state", when="True"), "variant 'standard' for 2 players: search_state raises"),
        (RAISING.format(method="opening", when="True"), "variant 'standard' for 2 players: opening raises"),
        (
            POSITIONS.format(method="steps", body="return [1]"),
            "variant 'standard' for 2 players: steps has 1: a step has a key, and a label of 1 to 80 characters",
        ),
    ],
)
def test_a_package_that_is_broken_is_left_out_with_the_reason_and_the_others_stay(
    install: Path, source: str, reason: str
) -> None:
    offer(install, "odd", source)
    offer(install, "hex7", GAME.format(facts={"key": "hex7"}))
    found = Games(OWN)
    assert set(found) == {*GAMES, "hex7"}
    (rejected,) = found.rejected
    assert str(rejected).startswith(f"the game odd of the package offered_odd 2.0 is left out: {reason}")


@pytest.mark.parametrize("body", ["while True:\n            pass", "__import__('time').sleep(60)"])
def test_a_package_whose_game_does_not_come_to_an_end_is_left_out_and_stopped(
    install: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setattr(packages, "LIMIT", 0.2)
    offer(install, "odd", POSITIONS.format(method="steps", body=body))
    # On a busy machine another game may be late, too.
    rejected = {one.entry_point: one.reason for one in Games(OWN).rejected}
    assert rejected["odd"] == "its trial takes longer than 0.2 s"
    trial = next((thread for thread in threading.enumerate() if thread.name.startswith("trial of")), None)
    if trial is not None and "sleep" not in body:
        trial.join(10)
        assert not trial.is_alive()


def test_of_two_packages_with_one_key_the_first_by_name_counts(install: Path) -> None:
    offer(install, "a", GAME.format(facts={"key": "same", "name": "First"}))
    offer(install, "b", GAME.format(facts={"key": "same", "name": "Second"}))
    found = Games(OWN)
    assert found["same"].name == "First"
    assert [one.entry_point for one in found.rejected] == ["b"]


@pytest.mark.slow
def test_the_contract_is_tested_with_this_game_though_its_tests_are_named_before_others() -> None:
    files = ("bot/contract/test_files.py", "tests/games/test_packages.py")
    command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "-q", *files]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    assert any(line.startswith("bot/contract/") and "tic-tac-toe" in line for line in found)
