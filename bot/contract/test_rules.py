"""The contract of every game in every variant: moves, texts, positions, results and steps. Names no game.

How positions are shown is in ``test_shown``; that rules stay as they are, in ``test_files``.
"""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.contract.cases import CASES, LONGEST, Case, legal, playout, samples, texts
from bot.games import GAMES, Game, IllegalMove, Move, Position
from bot.games.game import PASS

NONSENSE = (
    *("", " ", "-", "--", "x", "@", "=", "+", "a", "1", "a1-", "-a1", "a1-a1", "a0", "z9", "a1-z9-a1", "pass pass"),
    *(
        "a١",
        "٣",
        "¹",
        "a²",
        "ａ１",
        "②",
        "a1-b٢",
        "a1\u200bb2",
        "\x00",
        "\ud800",
        "🙂",
        "N",
        "@E",
        "xN",
        "a1=",
        "0,",
        ",",
    ),
    *(
        "x" * 4000,
        "a1-" * 1333,
        "9" * 4000,
        "a" + "9" * 3999,
        "(" * 4000,
        "a1x" * 1333,
        "٣" * 4000,
        "0E," * 1333,
        "é" * 4000,
    ),
)


def mutations(text: str, random: Random) -> list[str]:
    """Return texts one slip of the keyboard away from ``text``."""
    at = random.randrange(len(text))
    letter = random.choice("abcdefgh123456789-x=@+,nesw")
    return [
        text[:at] + text[at + 1 :],
        text[:at] + letter + text[at:],
        text[:at] + letter + text[at + 1 :],
        text[:at] + text[at] + text[at:],
        text + letter,
        text + "-" + text,
        text[::-1],
    ]


def accepted(position: Position, text: str) -> Move | None:
    """Return the move a position takes ``text`` for, or None; a refusal must say something a player can read."""
    try:
        return position.parse(text)
    except IllegalMove as refusal:
        reason = str(refusal)
        assert reason
        assert len(reason) <= 300
        assert reason == " ".join(reason.split())
        return None


class Membership:
    """Tells whether a move is legal: by the list of legal moves or, if that is too long, by playing the move."""

    def __init__(self, position: Position) -> None:
        moves, self.complete = legal(position)
        self.position = position
        self.moves = set(moves)

    def __contains__(self, move: Move) -> bool:
        if self.complete:
            return move in self.moves
        self.position.play(move).encode()
        return bool(self.position.parse(str(move)) == move)


def test_a_game_is_found_by_its_key_and_a_variant_by_its_own(game: Game) -> None:
    assert GAMES[game.key] is game
    for variant in game.variants:
        assert game.variant(variant.key) is variant


def test_an_unknown_variant_is_a_key_error(game: Game) -> None:
    with pytest.raises(KeyError):
        game.variant("no such variant")


def test_a_start_without_options_is_the_first_variant(game: Game) -> None:
    first = game.variants[0]
    players = first.players[0]
    assert game.start(players=players) == game.start(players=players, **first.options)


def test_a_game_starts_with_no_number_of_players_and_no_option_it_does_not_know(game: Game) -> None:
    for players in (-1, 0, 1, game.players[-1] + 1):
        with pytest.raises(ValueError, match=r"."):
            game.start(players=players)
    with pytest.raises(ValueError, match=r"."):
        game.start(players=game.players[0], nonsense=True)


def test_an_option_of_another_kind_is_refused(game: Game) -> None:
    others: tuple[object, ...] = (None, "", "nonsense", 1.5, [])
    for name in {name for variant in game.variants for name in variant.options}:
        for value in others:
            with pytest.raises(ValueError, match=r"."):
                game.start(players=game.players[0], **{name: value})


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_played_at_random_ends(case: Case, seed: int) -> None:
    plies = playout(case, seed)
    assert len(plies) <= LONGEST
    assert plies[-1].position.result is not None


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_is_over_exactly_when_nobody_is_to_move_and_there_is_a_result(case: Case, seed: int) -> None:
    for ply in playout(case, seed):
        over = ply.position.result is not None
        assert over == (next(iter(ply.position.legal_moves()), None) is None)
        if over:
            assert ply.position.to_move is None
        else:
            assert type(ply.position.to_move) is int, "to_move is one seat: no game has two that act at once"
            assert ply.position.to_move in range(case.players)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_result_has_winners_and_a_reason_that_completes_a_sentence(case: Case, seed: int) -> None:
    result = playout(case, seed)[-1].position.result
    assert result is not None
    assert result.winners
    assert result.winners <= set(range(case.players))
    assert result.reason
    assert not result.reason[0].isupper() or result.reason.startswith(case.game.seat_names)
    assert not result.reason.endswith(".")
    assert len(result.reason) <= 100


def test_legal_moves_are_distinct_and_in_a_stable_order(case: Case) -> None:
    for ply in samples(case):
        moves, _ = legal(ply.position)
        assert len(set(moves)) == len(moves)
        assert len({str(move) for move in moves}) == len(moves)
        assert legal(ply.position)[0] == moves


def test_a_legal_move_is_printed_in_one_line_and_read_as_itself(case: Case) -> None:
    for ply in samples(case):
        moves, _ = legal(ply.position)
        for move in Random(1).sample(moves, min(len(moves), 60)):
            text = str(move)
            assert text
            assert text == "".join(text.split())
            assert ply.position.parse(text) == move
            assert str(ply.position.parse(text)) == text


def test_reading_forgives_case_spaces_and_dashes(case: Case) -> None:
    for ply in samples(case):
        moves, _ = legal(ply.position)
        for move in Random(2).sample(moves, min(len(moves), 10)):
            text = str(move)
            spaced = f"\t {' '.join(text)}  "
            for typed in (text.lower(), text.upper(), text.swapcase(), spaced, text.replace("-", "–"), spaced.upper()):
                assert ply.position.parse(typed) == move


def test_nothing_outside_the_list_of_legal_moves_is_read_as_a_move(case: Case) -> None:
    random = Random(3)
    foreign = [text for other in CASES if other.game is not case.game for text in texts(other)]
    for ply in samples(case):
        moves, _ = legal(ply.position)
        members = Membership(ply.position)
        near = [slip for move in random.sample(moves, min(len(moves), 8)) for slip in mutations(str(move), random)]
        for text in (*NONSENSE, *near, *foreign, *texts(case), PASS):
            move = accepted(ply.position, text)
            assert move is None or move in members


@given(data=st.data())
def test_any_text_is_either_a_legal_move_or_refused_with_a_reason(case: Case, data: st.DataObject) -> None:
    ply = data.draw(st.sampled_from(samples(case)))
    alphabet = st.sampled_from("abcdefgh12345678-x=@+,NESW pas–")
    text = data.draw(st.one_of(st.text(max_size=50), st.text(alphabet=alphabet, max_size=12)))
    move = accepted(ply.position, text)
    assert move is None or ply.position.parse(str(move)) == move


def test_a_reason_repeats_nothing_of_what_was_typed_that_a_message_would_make_something_of(case: Case) -> None:
    moves = [str(moves[0]) for ply in samples(case)[:4] if (moves := legal(ply.position, 1)[0])]
    for typed in ("<@1>", "<#1>", "</move:1>", "<t:0:R>", "[a](http://b)", "http://b.c", "*a1*", "`a1`", "||a1||"):
        for text in (typed, *(move + typed for move in moves), *(typed + move for move in moves)):
            with pytest.raises(IllegalMove) as refused:
                case.start().parse(text)
            assert not set("<>[]*`|#@") & set(str(refused.value)), f"{text}: {refused.value}"


def test_no_move_is_read_once_the_game_is_over(case: Case) -> None:
    last = playout(case, 1)[-1]
    for text in (*NONSENSE, *texts(case), str(last.move), PASS):
        assert accepted(last.position, text) is None


def test_a_pass_is_forced_only_where_nothing_else_is_left(case: Case) -> None:
    for ply in playout(case, 1):
        moves, _ = legal(ply.position, 2)
        forced = ply.position.forced_move()
        assert forced == (moves[0] if [str(move) for move in moves] == [PASS] else None)


def test_completions_go_on_from_what_is_typed_and_fit_a_list_of_suggestions(case: Case) -> None:
    for ply in samples(case):
        for move in legal(ply.position, 5)[0]:
            for typed in ("", str(move)[:1], str(move)[:3].upper(), str(move), "q" * 4000):
                offered = ply.position.completions(typed, 25)
                assert len(set(offered)) == len(offered) <= 25
                assert [offer for offer in offered if not offer.casefold().startswith(typed.casefold())] == []
                assert [offer for offer in offered if len(offer) > 100] == []
                assert len(ply.position.completions(typed, 3)) <= 3
            assert str(move) in ply.position.completions(str(move), 1)


def test_a_shortcut_is_a_whole_legal_move(case: Case) -> None:
    for ply in samples(case):
        shortcuts = ply.position.shortcuts(Random(4))
        assert len({step.key for step in shortcuts}) == len(shortcuts)
        for step in shortcuts:
            assert step.move is not None
            assert ply.position.parse(step.key) == step.move
            assert step.move in Membership(ply.position)
            assert 0 < len(step.label) <= 80


def test_a_position_is_restored_from_its_text(case: Case) -> None:
    for ply in samples(case):
        text = ply.position.encode()
        restored = case.game.decode(text)
        assert restored == ply.position
        assert hash(restored) == hash(ply.position)
        assert restored.encode() == text == ply.position.encode()
        assert restored.result == ply.position.result
        assert restored.to_move == ply.position.to_move
        assert legal(restored, 300) == legal(ply.position, 300)


def test_the_text_of_a_position_is_one_line(case: Case) -> None:
    for ply in samples(case):
        text = ply.position.encode()
        assert text.isprintable()
        assert text.isascii()
        assert text == text.strip()
        assert text


def test_a_restored_position_plays_on_to_the_same_end(case: Case) -> None:
    plies = playout(case, 1)
    position = case.game.decode(plies[len(plies) // 2].position.encode())
    for ply in plies[len(plies) // 2 + 1 :]:
        position = position.play(position.parse(str(ply.move)))
    assert position == plies[-1].position


def test_what_is_no_text_of_a_position_is_refused(game: Game) -> None:
    foreign = [samples(case)[-1].position.encode() for case in CASES if case.game is not game]
    for text in (*NONSENSE, *foreign):
        with pytest.raises(ValueError, match=r"."):
            game.decode(text)


def test_a_mangled_text_of_a_position_is_refused_or_read_as_it_stands(case: Case) -> None:
    random = Random(5)
    for ply in samples(case):
        for text in mutations(ply.position.encode(), random):
            try:
                position = case.game.decode(text)
            except ValueError:
                continue
            assert position.encode() == text


def test_a_position_cannot_be_changed(case: Case) -> None:
    for ply in samples(case)[:3]:
        slots = {name for kind in type(ply.position).__mro__ for name in getattr(kind, "__slots__", ())}
        values = getattr(ply.position, "__dict__", {}).keys()
        for name in {*slots, *values, "to_move", "result", "something_new"}:
            with pytest.raises((AttributeError, TypeError)):
                setattr(ply.position, name, None)


def test_playing_leaves_the_position_before_as_it_was(case: Case) -> None:
    for ply in samples(case):
        if ply.before is None or ply.move is None:
            continue
        text, number = ply.before.encode(), hash(ply.before)
        again = ply.before.play(ply.move)
        assert again == ply.position
        assert hash(again) == hash(ply.position)
        assert again != ply.before
        assert (ply.before.encode(), hash(ply.before)) == (text, number)


def test_a_position_can_be_copied_and_sent_to_another_process(case: Case) -> None:
    for ply in samples(case)[-2:]:
        assert pickle.loads(pickle.dumps(ply.position)) == ply.position
        assert pickle.loads(pickle.dumps(ply.move)) == ply.move
        assert copy.deepcopy(ply.position) == ply.position


def test_a_seat_drops_out_and_the_last_one_left_wins_where_more_than_two_can_play(case: Case) -> None:
    position = case.start()
    if case.game.players[-1] == 2:
        with pytest.raises(ValueError, match=r"."):
            position.drop(0)
        return
    for seat in range(case.players - 1):
        assert position.result is None
        position = position.drop(seat)
        assert case.game.decode(position.encode()) == position
        assert seat != position.to_move
    assert position.result is not None
    assert position.result.winners == {case.players - 1}


def test_a_position_without_its_history_has_the_same_moves(case: Case) -> None:
    for ply in samples(case):
        if ply.position.result is None:
            alone = case.game.without_history(ply.position)
            assert legal(alone, 300) == legal(ply.position, 300)
            assert case.game.decode(alone.encode()) == alone
            assert case.game.without_history(alone) == alone
