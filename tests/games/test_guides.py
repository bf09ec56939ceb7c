"""How a guide is read into pages and diagrams, and how its mistakes are reported."""

from __future__ import annotations

import re

import pytest

from bot.games import GAMES, OWN
from bot.games.game import Game
from bot.games.guides import Page, guide, read
from renderers.scene import Mark

YONMOQUE = GAMES["yonmoque"]
GYGES = GAMES["gyges"]


def pages(text: str) -> tuple[Page, ...]:
    return read(text, YONMOQUE, "guide.md")


def page(*lines: str) -> Page:
    return pages("\n".join(("## Page", *lines)))[0]


def diagram(*lines: str) -> str:
    return "\n".join(("## Page", "```diagram", *lines, "```"))


def test_every_second_level_heading_begins_a_page() -> None:
    first, second = pages("# Yonmoque\n\n## One\nFirst.\n\n## Two\nSecond.\n")
    assert first == Page("One", "First.")
    assert second == Page("Two", "Second.")


def test_other_headings_and_markdown_stay_in_the_text() -> None:
    assert page("### Smaller", "- **bold**").text == "### Smaller\n- **bold**"


def test_a_diagram_is_taken_out_of_the_text() -> None:
    found = page("Before.", "", "```diagram", "moves: c3", "```", "", "After.")
    assert found.text == "Before.\n\nAfter."
    assert len(found.diagrams) == 1


def test_other_fenced_blocks_stay_in_the_text_and_begin_no_page() -> None:
    assert page("```", "## not a page", "```").text == "```\n## not a page\n```"


def test_moves_are_played_from_the_start_and_the_last_one_is_marked_with_what_it_did() -> None:
    (found,) = pages(diagram("moves: b2 c2 e2 a5 e2-d2"))[0].diagrams
    marks = found.scene().marks
    assert (Mark.LEFT, "e2") in marks
    assert (Mark.ENTERED, "d2") in marks
    assert (Mark.CHANGED, "c2") in marks


def test_moves_may_be_played_from_a_position() -> None:
    (found,) = pages(diagram("position: 5/5/2b2/5/w4 b 5,5 - -", "moves: c3-d3"))[0].diagrams
    assert found.position.encode().startswith("5/5/3b1/5/w4 w")


def test_a_variant_alone_is_its_first_position() -> None:
    (found,) = pages(diagram("variant: standard"))[0].diagrams
    assert found.position == YONMOQUE.start()
    assert found.scene().marks == ()


def gyges(variant: str, *lines: str) -> tuple[Page, ...]:
    return read("\n".join(lines), GYGES, "guide.md", GYGES.variant(variant))


def test_a_part_for_one_variant_is_read_for_no_other() -> None:
    text = ("## Page", "Both.", "::: classic", "Classic alone.", ":::", "Both again.")
    assert gyges("classic", *text)[0].text == "Both.\nClassic alone.\nBoth again."
    assert gyges("fogliaccio", *text)[0].text == "Both.\nBoth again."


def test_a_whole_page_may_be_for_one_variant() -> None:
    text = ("## Both", "::: fogliaccio", "## Fogliaccio", ":::", "::: classic", "## Classic", ":::")
    assert [page.title for page in gyges("classic", *text)] == ["Both", "Classic"]
    assert [page.title for page in gyges("fogliaccio", *text)] == ["Both", "Fogliaccio"]


def test_a_part_may_name_several_variants_and_a_pattern() -> None:
    game, text = GAMES["rectangles"], "## Page\n::: 4x4 *-tilted\nHere.\n:::"
    said = {variant.key for variant in game.variants if read(text, game, "guide.md", variant)[0].text == "Here."}
    assert said == {"4x4", "4x4-tilted", "6x6-tilted", "8x8-tilted", "10x10-tilted"}


def test_a_diagram_is_of_the_variant_the_guide_is_read_for() -> None:
    for variant in GYGES.variants:
        (found,) = gyges(variant.key, "## Page", "```diagram", "moves: 231123", "```")[0].diagrams
        assert found.before == GYGES.start(**variant.options)


def test_the_page_about_the_source_is_an_aside() -> None:
    first, last = pages("## What it is\n\n## Where the original rules are silent")
    assert (first.aside, last.aside) == (False, True)


def test_a_caption_replaces_the_one_of_the_game() -> None:
    captioned, plain = (
        pages(diagram(*lines))[0].diagrams[0].scene()
        for lines in (("moves: c3", "caption: A put: c3."), ("moves: c3",))
    )
    assert captioned.caption == "A put: c3."
    assert plain.caption == "White to move. Last move: c3."


def test_a_seat_is_counted_from_one() -> None:
    (found,) = pages(diagram("moves: c3", "seat: 2"))[0].diagrams
    assert found.seat == 1
    assert found.scene().turned


def test_chosen_steps_show_where_the_move_may_go_on() -> None:
    (found,) = pages(diagram("position: 5/5/5/5/w3b b 5,5 - -", "chosen: e1"))[0].diagrams
    assert set(found.scene().marks) == {(Mark.CHOSEN, "e1"), *((Mark.TARGET, at) for at in ("d1", "d2", "e2"))}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "guide.md: no page"),
        ("Text.\n## Page", "guide.md, line 1: text before the first page"),
        ("## Page\n```diagram\nmoves: c3", "guide.md, line 2: this fenced block is never closed"),
        (diagram("moves: c3 c3"), "guide.md, line 3: c3: c3 is taken"),
        (diagram("moves: c3", "moves: c4"), "guide.md, line 4: a second moves"),
        (diagram("move: c3"), "guide.md, line 3: a line of a diagram is one of position, variant, moves"),
        (diagram("c3"), "guide.md, line 3: a line of a diagram is one of"),
        (diagram("position: 5/5 b 6,6 - -"), "guide.md, line 3: an arrangement has five ranks"),
        (diagram("variant: misere"), "guide.md, line 3: Yonmoque has no variant 'misere'"),
        (diagram("position: 5/5/5/5/5 b 6,6 - -", "variant: standard"), "guide.md, line 4: a diagram starts from"),
        (diagram("caption: Nothing."), "guide.md, line 2: a diagram needs a position, a variant or moves"),
        (diagram("moves: c3", "seat: 0"), "guide.md, line 4: a seat is a number from 1 to 2"),
        (diagram("moves: c3", "seat: 3"), "guide.md, line 4: a seat is a number from 1 to 2"),
        (diagram("moves: c3", "chosen: c3"), "guide.md, line 4: c3 is no step here"),
        ("## Page\n::: misere\n:::", "guide.md, line 2: Yonmoque has no variant 'misere'"),
        ("## Page\n::: standard", "guide.md, line 2: this part for some variants is never closed"),
        ("## Page\n:::", "guide.md, line 2: variants are named where a part"),
        ("## Page\n::: standard\n::: standard\n:::", "guide.md, line 3: variants are named where a part"),
    ],
)
def test_a_mistake_is_reported_with_file_and_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=r".") as mistake:
        pages(text)
    assert str(mistake.value).startswith(complaint)


@pytest.mark.parametrize("game", OWN, ids=lambda game: game.key)
def test_a_guide_tells_the_game_shows_a_win_then_the_first_game_and_ends_with_notation(game: Game) -> None:
    for variant in game.variants:
        pages = guide(game, variant)
        told = pages[0].text.partition("\n")[0]
        assert len(re.findall(r"[.!?](?= |$)", told)) in (3, 4)
        typed = [text for page in pages[:6] for text in re.findall(r"`([^`\n]+)`", page.text)]
        assert all(text.startswith("/") for text in typed), "notation comes last"
        first, second, *_, last = (page for page in pages if not page.aside)
        assert first.diagrams[0].position.result is not None
        assert second.title == "Your first game"
        assert second.diagrams
        assert last.title == "Typing moves"
        assert len([page for page in pages if not page.aside]) <= 13
