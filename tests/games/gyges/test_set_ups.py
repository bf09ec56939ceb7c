"""The set-ups that computer players choose in Gygès: at every level, and by the table of good ones."""

from __future__ import annotations

from random import Random
from statistics import mean

import pytest

from bot.games.gyges import GYGES
from bot.games.gyges.board import ARRANGEMENTS
from bot.games.gyges.rules import GygesPosition, SetUp
from bot.games.gyges.search import GygesState
from bot.games.gyges.set_ups import FILE, Study, best_of_south, read, studies, written
from bot.opponents import LEVELS, choose
from bot.opponents.levels import STUDIES_FROM
from tests.figures.set_ups import estimates, studied
from tests.games.gyges.positions import RULESETS, game

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)
SEEDS = range(40)


def half(ruleset: str) -> SetUp:
    """Return the position in which North is to arrange the home rank."""
    start = GYGES.start(ruleset=ruleset)
    position = start.play(start.parse("231123"))
    assert isinstance(position, SetUp)
    return position


@each_ruleset
def test_every_set_up_is_legal_and_other_seeds_choose_others(ruleset: str) -> None:
    for position in (GYGES.first(2, ruleset=ruleset), half(ruleset)):
        chosen = [GYGES.opening(position, Random(seed)) for seed in SEEDS]
        assert set(chosen) <= set(position.legal_moves())
        assert len(set(chosen)) > 8
        assert chosen == [GYGES.opening(position, Random(seed)) for seed in SEEDS]


@each_ruleset
def test_north_answers_better_than_at_random(ruleset: str) -> None:
    position = half(ruleset)

    def worth_to_south(turn: object) -> int:
        after = position.play(position.parse(str(turn)))
        assert isinstance(after, GygesPosition)
        return GygesState(after).evaluate()

    chosen = mean(worth_to_south(GYGES.opening(position, Random(seed))) for seed in SEEDS)
    assert chosen < mean(worth_to_south(turn) for turn in position.legal_moves())


@each_ruleset
def test_every_set_up_of_south_has_good_answers(ruleset: str) -> None:
    known = studies()[ruleset]
    assert {min(south, south[::-1]) for south in ARRANGEMENTS} == known.keys()
    for study in known.values():
        assert 0 < len(study.answers) == len(set(study.answers))
        assert set(study.answers) <= set(ARRANGEMENTS)
    assert written(read(FILE.read_text(encoding="utf-8"))) == FILE.read_text(encoding="utf-8")


@each_ruleset
def test_strong_levels_take_their_set_ups_from_the_table_and_vary_them(ruleset: str) -> None:
    known = studies()[ruleset]
    souths = {str(choose(SetUp(ruleset), level, seed)) for level in LEVELS[STUDIES_FROM - 1 :] for seed in range(12)}
    assert {min(south, south[::-1]) for south in souths} == set(best_of_south(known))
    assert souths > set(best_of_south(known)), "no set-up is mirrored"
    for south in ("231123", "321132"):
        answers = {str(choose(SetUp(ruleset, south), LEVELS[-1], seed)) for seed in range(80)}
        listed = known.get(south)
        expected = listed.answers if listed else [answer[::-1] for answer in known[south[::-1]].answers]
        assert answers == set(expected)


@each_ruleset
def test_weak_levels_arrange_their_pieces_as_they_come(ruleset: str) -> None:
    souths = {str(choose(SetUp(ruleset), level, seed)) for level in range(1, STUDIES_FROM) for seed in range(12)}
    assert len(souths) > 12


@each_ruleset
def test_there_is_nothing_to_arrange_or_to_study_once_the_play_has_begun(ruleset: str) -> None:
    begun = game(ruleset, "231123 321123")
    assert (GYGES.opening(begun, Random(1)), GYGES.studied_opening(begun, Random(1))) == (None, None)


@pytest.mark.slow
@each_ruleset
def test_by_its_own_estimate_the_strongest_level_is_about_even_after_its_set_ups(ruleset: str) -> None:
    known = studies()[ruleset]
    for south in best_of_south(known):
        assert all(0.37 <= share <= 0.6 for share in estimates(ruleset, south, known[south])), south


@pytest.mark.slow
def test_a_study_keeps_what_was_found_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.figures.set_ups.ARRANGEMENTS", ("112233", "121233", "332211"))
    monkeypatch.setattr("tests.figures.set_ups._NODES", 100)
    monkeypatch.setattr("tests.figures.set_ups._MOST_NODES", 200)
    found = studied("classic", 1)
    assert set(found) == {"112233", "121233"}
    assert all(isinstance(study, Study) and study.games == 3 for study in found.values())
