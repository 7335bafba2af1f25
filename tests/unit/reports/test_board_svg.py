"""Pictures of states: every board, every kind of piece, the last move."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

import gamedsl
from gamedsl.game import LoadedGame, load_source, shipped_games
from gamedsl.model import State
from gamedsl.model.nodes.looks import BoardLook
from gamedsl.reports.boards.as_svg import (
    player_colour,
    position_svg,
    square_centres,
    state_svg,
)
from gamedsl.reports.boards.contents import position_of
from gamedsl.reports.boards.geometry import geometry_of
from gamedsl.reports.boards.ground import Ground
from gamedsl.reports.boards.themes import LIGHT, THEMES
from gamedsl.source import SourceFile

SVG = "{http://www.w3.org/2000/svg}"


WHEEL = """game "Wheel"
players X, O
board graph:
    north-east-south-north
    hub: north, south
    hub at (0, 0)
    north at (0, 2)
    east at (4, 0)
    south at (0, -2)

state:
    at[s in square]: empty | players = X if s == hub else empty
    left: 0..9 = 9

move put(s in square):
    require at[s] == empty
    at[s] = turn
    left -= 1

end:
    if full(at): draw
"""


def test_points_of_a_graph_are_drawn_where_the_file_says() -> None:
    game = load_source(SourceFile("wheel", WHEEL), {})
    assert game.model.board is not None
    geometry = geometry_of(game.model.board)
    assert geometry.centres["north"] == (0.5, 0.5)
    assert geometry.centres["east"] == (2.5, 1.5)
    assert (geometry.width, geometry.height) == (3, 3)
    assert ("hub", "south") in geometry.edges
    assert game.show(game.initial_state()).splitlines()[:3] == [
        "north .",
        "hub X    east .",
        "south .",
    ]


def after(game: LoadedGame, *names: str) -> State:
    state = game.initial_state()
    for name in names:
        state = game.result(state, game.action_named(state, name))
    return state


def words_in(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


GALLERY = Path(__file__).resolve().parents[3] / "docs" / "gallery"


def gallery() -> ModuleType:
    """The program that draws the gallery."""
    spec = spec_from_file_location("gallery", GALLERY / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", shipped_games(), ids=lambda path: path.stem)
def test_the_picture_of_every_game_is_well_formed_and_stands_in_the_gallery(path: Path) -> None:
    game = gamedsl.load(path, engine="interpreter")
    made = gallery()
    drawn, _ = made.drawn(game, made.positions().get(path.stem))
    root, kept = ElementTree.fromstring(drawn), (GALLERY / f"{path.stem}.svg").read_text("utf-8")
    if game.facts.is_tree:  # its words; where they stand is for the tests of trees
        words = "".join(ElementTree.fromstring(kept).itertext())
        assert words.strip() == "".join(root.itertext()), "python docs/gallery/make.py"
        return
    assert kept == drawn + "\n", "python docs/gallery/make.py"
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    assert width > 0
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("x", "-1")) < width
        if root.find(f"{SVG}g") is None:
            assert 0 < float(text.get("y", "-1")) < height


def test_the_page_of_the_gallery_shows_every_game_and_is_small() -> None:
    rules = {path.stem: path.read_text("utf-8") for path in shipped_games()}
    titles = {name: text.split('\ngame "')[1].split('"')[0] for name, text in rules.items()}
    assert (GALLERY / "README.md").read_text("utf-8") == gallery().page(titles)
    assert {path.stem for path in GALLERY.glob("*.svg")} == set(titles)
    assert not set(gallery().positions()) - set(titles)
    assert sum(path.stat().st_size for path in GALLERY.iterdir() if path.is_file()) < 1_000_000


def test_pieces_stand_where_they_were_put() -> None:
    game = gamedsl.load("tic_tac_toe")
    position = position_of(game, after(game, "a1", "b2"))
    assert position.board is not None
    owners = {
        square.name: piece.owner
        for square, piece in zip(position.board.squares, position.pieces, strict=True)
        if not piece.is_blank
    }
    assert owners == {"a1": 0, "b2": 1}
    assert position.lines == ("X to move",)


def test_several_arrays_give_colour_word_and_marks_of_one_piece() -> None:
    game = gamedsl.load("chess")
    position = position_of(game, game.initial_state())
    rook = position.pieces[0]
    assert (rook.owner, rook.word, rook.marks) == (0, "rook", ())
    assert position.lines == ("White to move",), "bookkeeping is left out"
    assert state_svg(game, game.initial_state()).count('class="man rook"') == 4
    text = game.source.text.replace("    fresh as", "    clock as text\n    fresh as")
    asked = load_source(SourceFile("asked", text), {})
    assert position_of(asked, asked.initial_state()).lines[0] == "clock: 0"
    seen = load_source(SourceFile("seen", game.source.text.replace("as hidden", "as marks")), {})
    position = position_of(seen, seen.initial_state())
    assert position.pieces[0].marks == ("fresh",)
    assert position.lines[0] == "f: fresh"


def test_the_last_move_is_highlighted() -> None:
    game = gamedsl.load("chess")
    before = game.initial_state()
    action = game.action_named(before, "go(b1, c3)")
    position = position_of(game, game.result(before, action), last=(before, action))
    assert (position.last, position.arrow) == (("b1", "c3"), ("b1", "c3"))
    plain = state_svg(game, game.result(before, action))
    drawn = state_svg(game, game.result(before, action), last=(before, action))
    assert drawn.count(f'fill="{LIGHT.last}"') == plain.count(f'fill="{LIGHT.last}"') + 2


def test_a_game_that_is_written_as_a_tree_is_shown_as_one() -> None:
    drawn = gamedsl.load("aima_fig_5_2")._repr_svg_()
    assert drawn.count("<polygon") == 4
    assert all(f">{payoff}</text>" in drawn for payoff in (3, 12, 8, 2, 4, 6, 14, 5))
    assert gamedsl.load("beer_and_quiche")._repr_svg_().count("<path") >= 2  # information sets


def test_a_move_in_a_direction_has_an_arrow_too() -> None:
    game = gamedsl.load("hexapawn")
    before = game.initial_state()
    action = game.action_named(before, game.action_names(before)[0])
    position = position_of(game, game.result(before, action), last=(before, action))
    assert position.arrow == position.last == ("a1", "a2")


def test_a_graph_board_lies_by_the_letters_and_numbers_of_its_points() -> None:
    board = gamedsl.load("nine_mens_morris").model.board
    assert board is not None
    geometry = geometry_of(board)
    assert geometry.shape == "point"
    assert geometry.centres["a1"] == (0.5, 6.5)
    assert geometry.centres["d7"] == (3.5, 0.5)
    assert len(geometry.edges) == 32
    assert len(set(geometry.centres.values())) == 24


def test_other_names_of_points_stand_around_a_circle() -> None:
    game = gamedsl.load(
        'game "Ring"\nplayers A, B\nboard graph:\n    north-east-south-west-north\n\n'
        "state:\n    at[square]: empty | players = empty\n\n"
        "move put(s in square):\n    require at[s] == empty\n    at[s] = turn\n\n"
        "end:\n    if full(at): draw\n"
    )
    board = game.model.board
    assert board is not None
    geometry = geometry_of(board)
    centres = set(geometry.centres.values())
    assert len({(round(x, 3), round(y, 3)) for x, y in centres}) == 4
    assert "north" in words_in(state_svg(game, game.initial_state()))


def test_six_directions_make_hexagons_whose_neighbours_touch() -> None:
    board = gamedsl.load("hex").model.board
    assert board is not None
    geometry = geometry_of(board)
    assert geometry.shape == "hexagon"
    for square in board.squares:
        x, y = geometry.centres[square.name]
        for other in board.neighbours(square):
            u, v = geometry.centres[other.name]
            assert abs((x - u) ** 2 + (y - v) ** 2 - 1) < 1e-9


def test_secrets_of_others_are_question_marks() -> None:
    game = gamedsl.load("kuhn_poker")
    state = after(game, "J", "Q")
    assert not {"J", "?"} - {*words_in(state_svg(game, state, viewer=0))}
    assert "Q" not in words_in(state_svg(game, state, viewer=0))
    assert not {"J", "Q"} - {*words_in(state_svg(game, state))}


def test_players_named_after_colours_have_them_and_others_differ() -> None:
    assert player_colour(("White", "Black"), 0) == "#ffffff"
    assert player_colour(("X", "O"), 0) != player_colour(("X", "O"), 1)


HELD = """game "Held"
players A, B
board 3 wide 3 high
state:
    at[square]: empty | players = empty
    hand[players]: 0..9 = 9
{more}
move put(s in square):
    require at[s] == empty and hand[turn] > 0
    at[s] = turn
    hand[turn] -= 1
end:
    if full(at): draw
"""


@pytest.mark.parametrize(
    ("held", "things"),
    [
        ("", 0),
        ("held[n in 1..40]: 0..9 = n % 2", 0),
        ("card[1..13]: 1..9 = 3", 13),
        ("card[players, 1..9]: 1..9 = 3", 18),
        ("die[1..9]: 1..6 = 3", 9),
    ],
)
def test_what_players_hold_shrinks_no_board(held: str, things: int) -> None:
    """Where a picture is fitted into a column, the board keeps two fifths of its width."""
    game = gamedsl.load(HELD.format(more=f"    {held}" * bool(held)))
    drawn = state_svg(game, game.initial_state())
    picture = ElementTree.fromstring(drawn)
    wide = float(picture.get("width", "0"))
    assert wide < 2.5 * 3 * 44
    faces = [one for one in picture.iter(f"{SVG}rect") if one.get("width") == "44"]
    assert len(faces) == 9 + things
    if held.startswith("held"):
        assert ", ".join(f"{n}={n % 2}" for n in range(1, 41)) in " ".join(words_in(drawn))


def test_many_rows_stand_in_columns() -> None:
    rows = "".join(f"    n{n}[players]: 0..9 = 0\n" for n in range(8))
    game = gamedsl.load(HELD.format(more=rows))
    picture = ElementTree.fromstring(state_svg(game, game.initial_state()))
    names = {one.text: one for one in picture.iter(f"{SVG}text")}
    assert float(names["n0"].get("y", "0")) == float(names["n3"].get("y", "0"))


def test_walls_fill_their_squares() -> None:
    text = HELD.format(more="").replace("at[square]: empty |", "at[s in square]: empty | wall |")
    game = gamedsl.load(text.replace("= empty\n", "= wall if s == a1 else empty\n", 1))
    drawn = state_svg(game, game.initial_state())
    assert "wall" not in words_in(drawn)
    assert 'fill="#6f757d"' in drawn


def test_a_board_stands_in_the_middle_above_what_is_wider() -> None:
    game = gamedsl.load(HELD.format(more="    card[1..4]: 1..9 = 3"))
    position = position_of(game, game.initial_state())
    picture = ElementTree.fromstring(position_svg(position))
    middle = float(picture.get("width", "0")) / 2
    assert middle > 1.5 * 44 + 24, "the cards are wider"
    assert square_centres(position)["b2"][0] == pytest.approx(middle)
    board = next(one for one in picture.iter() if one.get("class") == "board")
    left = board.get("transform", "").removeprefix("translate(").split()[0]
    assert float(left) == pytest.approx(middle - 1.5 * 44)


def test_every_kind_of_value_has_a_picture_in_a_notebook() -> None:
    from gamedsl.reports.trees.growth import grow
    from gamedsl.solvers.planner import solve

    game = gamedsl.load("nim", sizes=[1, 2])
    state = game.initial_state()
    for picture in (
        game._repr_svg_(),
        game.view(state)._repr_svg_(),
        grow(game, state)._repr_svg_(),
    ):
        assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
    report = solve(game)._repr_html_()
    assert "A wins" in report
    assert report.startswith("<pre>"), "columns stand below each other"
    assert "<tr><td>★take(2, 1)</td><td>1, -1</td><td>3</td></tr>" in report
    assert str(game.view(state)) == game.show(state)


def test_what_is_found_is_shown_as_words_where_there_is_no_notebook() -> None:
    found = gamedsl.solve("nim", max_positions=1000)
    assert repr(found) == str(found)
    assert repr(gamedsl.tree("aima_fig_5_2")).startswith("MAX 3")
    assert repr(gamedsl.explain("nim")).startswith("Nim")
    assert repr(gamedsl.check("nim")).startswith("nim: ok")
    assert repr(gamedsl.best("nim")) == "<BestMoves take(1, 2): proved>"
    assert "alpha-beta in native code" in gamedsl.estimate("nim", seconds=0.5)._repr_html_()


def shapes(svg: str) -> int:
    """The shapes of a picture beside its paper."""
    names = ("rect", "circle", "polygon", "path", "ellipse", "line")
    return sum(svg.count(f"<{name} ") for name in names) - 1


@pytest.mark.parametrize("path", shipped_games(), ids=lambda path: path.stem)
def test_no_picture_of_a_game_is_text_alone(path: Path) -> None:
    assert shapes((GALLERY / f"{path.stem}.svg").read_text("utf-8")) > 0


RUNNERS = """game "Runners"
players Red, Blue
board 3 wide 1 high
state:
    at[players]: {domain}
    laps[players]: 0..3 = 0
    clock: 0..9 = 0
    {more}
move run(s in square):
    at[turn] = s
    clock += 1
end:
    if clock == 9: draw
"""


def drawn_of(text: str) -> str:
    game = gamedsl.load(text)
    return state_svg(game, game.initial_state())


def test_men_that_are_kept_as_squares_stand_on_the_board() -> None:
    game = gamedsl.load(RUNNERS.format(domain="square = a1", more=""))
    position = position_of(game, after(game, "c1"))
    assert [(square, piece.owner) for square, piece in position.men] == [("c1", 0), ("a1", 1)]
    assert [figure.variable.name for figure in position.panel] == ["laps"], "no clock"
    absent = gamedsl.load(RUNNERS.format(domain="square | none = none", more=""))
    assert [square for square, _ in position_of(absent, after(absent, "b1")).men] == ["b1"]
    assert absent.show(after(absent, "b1")).splitlines()[0] == "1 . o ."


def test_a_mark_is_a_ring_round_a_man_and_no_man() -> None:
    game = gamedsl.load("chess")
    assert position_of(game, game.position("e2e4")).rings == ()
    assert position_of(game, game.position("e2e4")).men == ()
    marked = gamedsl.load(
        HELD.format(more="    chain: square | none = none").replace(
            "    hand[turn] -=", "    chain = s\n    hand[turn] -="
        )
    )
    position = position_of(marked, after(marked, "b2"))
    assert (position.rings, position.men) == ((("chain", "b2"),), ())


def test_a_payoff_keeps_a_number_in_the_picture() -> None:
    text = RUNNERS.format(domain="square = a1", more="pot: 0..9 = 3")
    text = text.replace("clock += 1", "clock += 1\n    pot = clock")
    assert "pot" not in words_in(drawn_of(text))
    paid = text.replace("draw", "payoff Red: pot, Blue: 0")
    assert "pot" in words_in(drawn_of(paid))


def test_an_unseen_cell_lies_face_down() -> None:
    game = gamedsl.load("auction")
    state = after(game, "value[Ann]=2", "value[Bob]=1")
    assert "?" in words_in(state_svg(game, state, viewer=1))
    assert "?" not in words_in(state_svg(game, state))


def test_a_throw_that_no_variable_keeps_is_a_die() -> None:
    game = gamedsl.load("pig")
    before = after(game, "roll")
    four = game.action_named(before, "die=4")
    state = game.result(before, four)
    with_die = state_svg(game, state, last=(before, four))
    assert with_die.count("<circle") == state_svg(game, state).count("<circle") + 4


def test_dice_thrown_together_lie_side_by_side() -> None:
    game = gamedsl.load("craps")
    steps = []
    for names in ((), ("throw",), ("throw", "a=6")):
        before = after(game, *names)
        steps.append((before, game.action_named(before, ("throw", "a=6", "b=4")[len(names)])))
    state = game.result(*steps[-1])
    lone = state_svg(game, state, last=steps[-1]).count("<circle")
    assert state_svg(game, state, last=steps[-1], earlier=steps[:-1]).count("<circle") == lone + 6


@pytest.mark.parametrize(("places", "rows"), [(14, 1), (18, 2)])
def test_men_of_players_who_run_towards_each_other_stand_on_points(places: int, rows: int) -> None:
    game = gamedsl.load(f"""game "Race"
players White, Black
state:
    men[p in players, k in 1..{places}]: 0..9 = 7 if k == 2 else 0
move go: men[turn, 2] = 0
end: draw
""")
    drawn = state_svg(game, game.initial_state())
    assert drawn.count("<polygon") == places
    circles = list(ElementTree.fromstring(drawn).iter(f"{SVG}circle"))
    assert len(circles) == 2 * 5, "the rest is a number"
    assert len({circle.get("cy") for circle in circles}) == 5 * rows
    assert words_in(drawn).count("7") == 3, "two numbers of men, and a place"


def test_a_solved_cube_has_one_colour_on_each_face() -> None:
    from gamedsl.model.nodes.corners import corner_names
    from gamedsl.reports.boards.net import net_group

    def colours(place: str, corner: str, twist: int) -> dict[str, int]:
        stickers = ElementTree.fromstring(f"<g>{net_group({place: (corner, twist)})[0]}</g>")
        fills = [sticker.get("fill", "") for sticker in stickers]
        return {colour: fills.count(colour) for colour in fills}

    solved = [net_group({name: (name, 0)})[0] for name in corner_names()]
    assert len(set(solved)) == 1
    assert set(colours("ufl", "ufl", 0).values()) == {4}
    assert net_group({"ufl": ("ufl", 1)}) != net_group({"ufl": ("ufl", 2)})


def test_a_right_turn_of_the_cube_moves_the_front_right_stickers_up() -> None:
    """Twelve stickers around the right face change places, and the face itself stays red."""
    game = gamedsl.load("pocket_cube")
    text = game.source.text.replace("    quarter(U)\n    quarter(F)\n", "", 1)
    turned = ElementTree.fromstring(drawn_of(text))
    fills = [one.get("fill") for one in turned.iter() if one.get("class") == "sticker"]
    assert {colour: fills.count(colour) for colour in fills} == dict.fromkeys(fills, 4)
    right = [
        one.get("fill") for one in turned.iter()
        if one.get("class") == "sticker" and 4 * 26 <= float(one.get("x", "0")) - 8 < 6 * 26
    ]  # fmt: skip
    assert set(right) == {"#d23f3f"}


@pytest.mark.parametrize("look", ["frame", "holes", "green"])
def test_a_board_has_the_look_that_the_file_says(look: str) -> None:
    text = HELD.format(more="") + f"show:\n    board as {look}\n"
    assert drawn_of(text) != drawn_of(HELD.format(more=""))


def test_themes_change_colours_alone() -> None:
    game = gamedsl.load("checkers")
    drawn = {
        name: state_svg(game, game.initial_state(), theme=theme) for name, theme in THEMES.items()
    }
    assert len(set(drawn.values())) == 3
    assert len({svg.count("<") for svg in drawn.values()}) == 1


def test_a_complete_line_is_marked() -> None:
    game = gamedsl.load("tic_tac_toe")
    assert state_svg(game, after(game, "a1", "b2", "a2", "b1", "a3")).count("in-line") == 3
    assert "in-line" not in state_svg(game, after(game, "a1", "b2", "a2"))


@pytest.mark.parametrize("name", ["chess", "checkers", "hex", "nine_mens_morris", "hexapawn"])
def test_a_turned_board_is_the_same_board_upside_down(name: str) -> None:
    """Every square of the other side has the colour that it had; edges keep their owners."""
    game = gamedsl.load(name)
    position = position_of(game, game.initial_state())
    turned = replace(position, is_turned=True)
    here, there = square_centres(position), square_centres(turned)
    assert position.board is not None
    middle = [sum(place[n] for place in here.values()) / len(here) for n in range(2)]
    for square, (x, y) in here.items():
        assert there[square] == pytest.approx((2 * middle[0] - x, 2 * middle[1] - y))
    fills = [
        {
            (round(float(one.get("x", "0"))), round(float(one.get("y", "0")))): one.get("fill")
            for one in ElementTree.fromstring(position_svg(seen)).iter(f"{SVG}rect")
            if one.get("width") == "44"
        }
        for seen in (position, turned)
    ]
    geometry = geometry_of(position.board, position.look)
    right, low = round(44 * (geometry.width - 1)), round(44 * (geometry.height - 1))
    assert {(right - x, low - y): fill for (x, y), fill in fills[0].items()} == fills[1]


TABLE = """game "Table"
players A, B
board 16 wide 16 high wrap
directions {ways}

state:
    cell[s in square]: empty | players = A if s == square(8, 8) else empty

move put(s in square):
    require cell[s] == empty and any(cell[q] != empty for q in neighbours(s))
    cell[s] = turn

end:
    if full(cell): draw
"""


@pytest.mark.parametrize("ways", ["N, NE, E, S, SW, W", "N, E, S, W"])
def test_of_a_large_board_without_edges_the_part_with_men_and_moves_is_drawn(ways: str) -> None:
    """Two squares to each side of all moves."""
    game = gamedsl.load(TABLE.format(ways=ways))
    for moves, (inside, outside) in (
        ([], ("e8", "d8")),
        (["put(g8)", "put(f8)"], ("c8", "b8")),
    ):
        state = after(game, *moves)
        position = position_of(game, state)
        centres = square_centres(position)
        assert {name[4:-1] for name in game.action_names(state)} < set(centres)
        assert inside in centres
        assert outside not in centres
        assert set(square_centres(replace(position, is_turned=True))) == set(centres)
    with_edges = gamedsl.load(TABLE.replace(" wrap", "").format(ways=ways))
    assert len(square_centres(position_of(with_edges, with_edges.initial_state()))) == 256


def test_squares_of_a_part_of_a_board_have_their_colours() -> None:
    board = gamedsl.load(TABLE.format(ways="N, E, S, W")).model.board
    assert board is not None
    whole = geometry_of(board)
    for names in ("e8 f9", "e8 f10", "d8 f9", "d7 f9"):
        part = whole.around(names.split())
        for pair in ((whole, part), (whole.turned(), part.turned())):
            grounds = [Ground(one, BoardLook.CHEQUERED, None, LIGHT, 1.0) for one in pair]
            for name in part.centres:
                first, second = (
                    LIGHT.dark in ground.square(name, is_last=False) for ground in grounds
                )
                assert first == second, name


def test_hexagons_fill_the_width_of_their_picture() -> None:
    board = gamedsl.load("havannah").model.board
    assert board is not None
    geometry = geometry_of(board)
    across = [x for x, _ in geometry.centres.values()]
    assert (min(across), max(across)) == (0.5, geometry.width - 0.5)
