"""Moves in UCI and SAN, and positions in FEN, for games with the men of chess.

A game has the notation if its rules have: two players; a grid with squares such as e4; one variable
of the squares with the owners of men; and one variable of the squares with kinds of men, all named
as in chess (`LETTERS`). The game's name plays no part. FEN has further fields: `FIELDS` names the
variables in which games hold them, the only names that the notation presupposes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gamedsl.game.engines import Engine
from gamedsl.game.pictures.last_move import squares_named, values_named
from gamedsl.game.pictures.looks import NOTHING_NAMES, is_owner
from gamedsl.model import Model, State
from gamedsl.model.engine import RulesEngine
from gamedsl.model.nodes import Variable
from gamedsl.model.values import text_of

LETTERS = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q", "king": "k"}
"""The letters of the kinds of men."""
FIELDS = {
    "castling": "fresh",
    "passing": "ep",
    "clock": "clock",
    "checks": "checks",
    "stock": "stock",
    "promoted": "made",
}
"""Fields of FEN with the variables that hold them: the rooks that may castle; the square of a
capture in passing; plies since a capture or a pawn's move; checks given; men in hand; promoted men.
A game without a variable has no such field."""
FILES = "abcdefghijklmnopqrstuvwxyz"
CASTLING = re.compile(r"([O0])-\1(-\1)?[+#!?]*")
SAN = re.compile(
    r"(?P<kind>[KQRBNP])?(?P<column>[a-wyz])?(?P<row>\d)?(?P<how>[x@:-])?(?P<to>[a-z]\d)"
    r"(?:=?\(?(?P<crown>[KQRBNkqrbn])\)?)?[+#!?]*"
)
"""A move in standard algebraic notation, or with the square that the man leaves."""
UCI = re.compile(r"(?P<start>[a-z]\d|[A-Z]@)(?P<to>[a-z]\d)(?P<crown>[a-z]?)")


def notation_of(model: Model, engine: Engine) -> ChessNotation | None:
    """The notation of the rules; None for rules to which the notation does not apply."""
    board = model.board
    if board is None or not isinstance(engine, RulesEngine) or len(model.players) != 2:
        return None
    if not all(re.fullmatch(r"[a-z]\d", square.name) for square in board.squares):
        return None
    on_squares = [v for v in model.variables if [i.values for i in v.indices] == [board.squares]]
    owners = [v for v in on_squares if v.viewers is None and is_owner(model, v)]
    kinds = [v for v in on_squares if v.viewers is None and _are_kinds(v)]
    if len(owners) != 1 or len(kinds) != 1:
        return None
    return ChessNotation(model, engine, owners[0], kinds[0])


def _apart(start: str, others: list[str]) -> str:
    """The column, the row or the square that tells a square from others."""
    if not others:
        return ""
    if all(other[0] != start[0] for other in others):
        return start[0]
    return start[1] if all(other[1] != start[1] for other in others) else start


def _attacks(placed: Mapping[str, str], start: str, end: str) -> bool:
    """Whether the man on a square attacks another square."""
    sign = placed[start]
    columns, rows = FILES.index(end[0]) - FILES.index(start[0]), int(end[1]) - int(start[1])
    distance = max(abs(columns), abs(rows))
    match sign.lower():
        case "n":
            return {abs(columns), abs(rows)} == {1, 2}
        case "k":
            return distance == 1
        case "p":
            return abs(columns) == 1 and rows == (1 if sign.isupper() else -1)
    is_straight, is_diagonal = 0 in (columns, rows), abs(columns) == abs(rows)
    if not ((is_straight and sign in "rRqQ") or (is_diagonal and sign in "bBqQ")):
        return False
    column, row = columns // distance, rows // distance
    between = (
        FILES[FILES.index(start[0]) + step * column] + str(int(start[1]) + step * row)
        for step in range(1, distance)
    )
    return not any(square in placed for square in between)


def _are_kinds(variable: Variable) -> bool:
    """Whether the values are names of men, and at most one name of nothing."""
    names = {text_of(value) for value in variable.domain.values}
    return len(names & set(LETTERS)) > 1 and names - set(LETTERS) < NOTHING_NAMES


class ChessNotation:
    """UCI, SAN and FEN of one game.

    Attributes:
        name: the notation of positions.
    """

    name = "FEN"

    def __init__(self, model: Model, engine: RulesEngine, owner: Variable, kind: Variable) -> None:
        self._model, self._engine = model, engine
        self._owner, self._kind = owner, kind
        assert model.board is not None, "the notation applies to a board"
        self._squares = [square.name for square in model.board.squares]
        self._width, self._height = model.board.width, model.board.height
        known = {variable.name: variable for variable in model.variables}
        self._fields = {field: known[name] for field, name in FIELDS.items() if name in known}
        self._texts: dict[int, str] = {}
        letters = [LETTERS.get(text_of(value), "") for value in kind.domain.values]
        first = model.players[0].name
        self._signs = [
            [letter.upper() if text_of(value) == first else letter for letter in letters]
            for value in owner.domain.values
        ]
        self._standing: tuple[State, dict[str, str]] | None = None
        self._listed: tuple[State, dict[str, int]] | None = None
        """The state asked for last, with its men, and its moves: moves are named one by one."""

    # --- moves ----------------------------------------------------------------------------------

    def uci(self, state: State, action: int) -> str | None:
        """The move as UCI writes it, `e2e4`, `e7e8q`, `N@f3`; None for an action that is no move
        of a man. An action that names no squares, as castling, is the move of the man on the board
        that is no rook."""
        if action in self._texts:
            return self._texts[action]
        name = self._engine.action_name(state, action)
        squares = squares_named(self._model, name)
        kinds = "".join(LETTERS[value] for value in values_named(name) if value in LETTERS)
        if len(squares) == 2:
            text = "".join(squares) + kinds
        elif len(squares) == 1 and len(kinds) == 1:
            text = f"{kinds.upper()}@{squares[0]}"
        else:
            return self._moved(state, action)
        self._texts[action] = text
        return text

    def actions(self, state: State) -> dict[str, int]:
        """The legal moves of the player to move by their text in UCI."""
        listed = self._listed
        if listed is None or listed[0] is not state:
            legal = self._engine.legal_actions(state)
            texts = ((self.uci(state, action), action) for action in legal)
            moves = {text: action for text, action in texts if text is not None}
            listed = self._listed = state, moves
        return listed[1]

    def read(self, state: State, word: str) -> tuple[int, ...]:
        """The legal actions that a word can mean: in UCI, else in SAN."""
        if state.pending is not None:
            return ()
        moves = self.actions(state)
        if word in moves:
            return (moves[word],)
        castling = CASTLING.fullmatch(word)
        if castling is not None:
            return tuple(
                action
                for text, action in moves.items()
                if action not in self._texts and (text[2] < text[0]) == bool(castling[2])
            )
        move = SAN.fullmatch(word)
        if move is None:
            return ()
        return tuple(a for text, a in moves.items() if self._fits(state, move, text))

    def _fits(self, state: State, move: re.Match[str], text: str) -> bool:
        parts = UCI.fullmatch(text)
        assert parts is not None, "a move is written in UCI"
        start, wanted = parts["start"], move["kind"] or "P"
        is_drop = start.endswith("@")
        if is_drop != (move["how"] == "@") or parts["to"] != move["to"]:
            return False
        kind = start[0] if is_drop else self._letter(state, start).upper()
        return (
            kind == wanted
            and parts["crown"] == (move["crown"] or "").lower()
            and (is_drop or move["column"] in (None, start[0]))
            and (is_drop or move["row"] in (None, start[1]))
        )

    def san(self, state: State, action: int) -> str | None:
        """The move in standard algebraic notation, without a sign for check: `Nf3`, `exd5`,
        `e8=Q`, `O-O`; None for an action that is no move of a man."""
        text = self.uci(state, action)
        if text is None:
            return None
        if action not in self._texts:
            return "O-O-O" if text[2] < text[0] else "O-O"
        parts = UCI.fullmatch(text)
        assert parts is not None, "a move is written in UCI"
        start, to, crown = parts["start"], parts["to"], parts["crown"]
        if start.endswith("@"):
            return text
        placed = self._placed(state)
        kind = placed[start].upper()
        takes = to in placed or (kind == "P" and start[0] != to[0])
        if kind == "P":
            head = start[0] if takes else ""
        else:
            others = [
                other[:2]
                for other in self.actions(state)
                if other[2:] == to + crown and other != text
            ]
            head = kind + _apart(start, [s for s in others if placed.get(s, "").upper() == kind])
        return f"{head}{'x' * takes}{to}{'=' * bool(crown)}{crown.upper()}"

    def san_with_check(self, state: State, action: int) -> str | None:
        """The move as `san` writes it, with `+` for check and `#` for mate.

        The opponent is in check if the king is attacked, as the men of chess attack, and every
        legal reply parries the attack: in a game without check a king may stay attacked, and before
        the mover's next move in a row nobody replies. Mate is a check after which the play is over
        and the mover has won.
        """
        text, after = self.san(state, action), self._engine.result(state, action)
        opponent = 1 - state.turn
        if text is None or after.pending is not None or not self._is_attacked(after, opponent):
            return text
        if self._engine.is_terminal(after):
            paid = self._engine.utilities(after)
            return text + ("#" if paid[state.turn] > paid[opponent] else "+")
        replies = self._engine.legal_actions(after)
        if after.turn != opponent or any(
            self._is_attacked(self._engine.result(after, a), opponent) for a in replies
        ):
            return text
        return f"{text}+"

    def _is_attacked(self, state: State, player: int) -> bool:
        """Whether a man of the other player attacks the king."""
        placed, king = self._placed(state), "Kk"[player]
        at = next((square for square, sign in placed.items() if sign == king), None)
        return at is not None and any(
            sign.isupper() != king.isupper() and _attacks(placed, square, at)
            for square, sign in placed.items()
        )

    def _moved(self, state: State, action: int) -> str | None:
        """The move, by squares, of the only man but rooks that changes its square."""
        after = self._engine.result(state, action)
        was, now = self._placed(state), self._placed(after)
        mine = str.isupper if state.turn == 0 else str.islower
        left = [s for s in was if mine(was[s]) and not (s in now and mine(now[s]))]
        come = [s for s in now if mine(now[s]) and not (s in was and mine(was[s]))]
        moves = [
            start + end
            for start in left
            for end in come
            if was[start] == now[end] and was[start].lower() != LETTERS["rook"]
        ]
        return moves[0] if len(moves) == 1 else None

    # --- positions ------------------------------------------------------------------------------

    def position(self, state: State) -> str:
        """The position in FEN; the number of the move, which no state holds, is 1.

        Raises ValueError for a chance node.
        """
        if state.pending is not None:
            raise ValueError("a chance node has no FEN")
        placed = self._placed(state)
        promoted = self._true_squares(state, "promoted")
        rows = []
        for row in range(self._height):
            names = self._squares[row * self._width : (row + 1) * self._width]
            signs = [
                placed.get(name, "1") + "~" * (name in promoted and name in placed)
                for name in names
            ]
            rows.append(re.sub("1+", lambda ones: str(len(ones[0])), "".join(signs)))
        board = "/".join(reversed(rows)) + self._in_hand(state)
        castling = "".join(self._rights(self._true_squares(state, "castling"))) or "-"
        passing = self._text(state, "passing").replace("none", "") or "-"
        checks = self._left(state)
        fields = [board, "wb"[state.turn], castling, passing, *checks]
        return " ".join([*fields, self._text(state, "clock") or "0", "1"])

    def state(self, text: str) -> State:
        """The state of a FEN; fields that are left out at the end have their usual values.

        Raises ValueError, with the field and the reason.
        """
        board, *fields = text.split() or [""]
        given = dict(zip(("turn", "castling", "passing"), fields[:3], strict=False))
        later = fields[3:]
        checks = next((field for field in later if "+" in field.strip("+")), None)
        numbers = [field for field in later if field is not checks]
        cells = [digit for variable in self._model.variables for digit in variable.initial]
        self._set_board(cells, board)
        if given.get("turn", "w") not in ("w", "b"):
            raise ValueError(f"the player to move is w or b in FEN, not {given['turn']!r}")
        self._set_rights(cells, given.get("castling", "-"))
        passing = given.get("passing", "-")
        if "passing" in self._fields:
            self._set(cells, "passing", 0, "none" if passing == "-" else passing)
        if "clock" in self._fields:
            self._set(cells, "clock", 0, numbers[0] if numbers else "0")
        if "checks" in self._fields and checks is not None:
            most = int(text_of(self._fields["checks"].domain.values[-1]))
            for player, left in enumerate(checks.split("+")[:2]):
                given_checks = most - int(left) if left.isdecimal() else -1
                self._set(cells, "checks", player, str(given_checks))
        return self._engine.state_of(tuple(cells), "wb".index(given.get("turn", "w")))

    def is_position(self, text: str) -> bool:
        """Whether a text looks like a position: rows of a board, and a player to move."""
        return bool(re.match(r"[\w~]+(/[\w~\[\]-]+)+\s+[wb]\b", text))

    # --- fields of a FEN ------------------------------------------------------------------------

    def _cells(self, state: State, variable: Variable) -> tuple[int | None, ...]:
        return state.cells[variable.offset : variable.offset + variable.size]

    def _values(self, state: State, field: str) -> list[str]:
        """The cells of the variable of a field; none where the game has no such variable."""
        variable = self._fields.get(field)
        if variable is None:
            return []
        digits = self._cells(state, variable)
        return [text_of(variable.domain.values[digit or 0]) for digit in digits]

    def _text(self, state: State, field: str) -> str:
        return "".join(self._values(state, field)[:1])

    def _true_squares(self, state: State, field: str) -> set[str]:
        values = self._values(state, field)
        return {
            s for s, value in zip(self._squares, values, strict=bool(values)) if value == "true"
        }

    def _placed(self, state: State) -> Mapping[str, str]:
        """The signs of men by square, upper case for the first player."""
        placed = self._standing
        if placed is None or placed[0] is not state:
            owners, kinds = self._cells(state, self._owner), self._cells(state, self._kind)
            men = zip(self._squares, owners, kinds, strict=True)
            signs = ((square, self._signs[owner or 0][kind or 0]) for square, owner, kind in men)
            placed = self._standing = state, {square: sign for square, sign in signs if sign}
        return placed[1]

    def _letter(self, state: State, square: str) -> str:
        return self._placed(state).get(square, "")

    def _in_hand(self, state: State) -> str:
        counts = self._values(state, "stock")
        if not counts:
            return ""
        signs = "".join(sign * int(count) for sign, count in zip(self._hand(), counts, strict=True))
        return f"[{signs}]"

    def _hand(self) -> Iterator[str]:
        """The signs of men in hand, in the order of the cells of the stock."""
        for number in range(2):
            for kind in self._fields["stock"].indices[-1].values:
                letter = LETTERS.get(text_of(kind), "")
                yield letter.lower() if number else letter.upper()

    def _rights(self, corners: set[str]) -> Iterator[str]:
        for right, corner in self._corners().items():
            if corner in corners:
                yield right

    def _corners(self) -> dict[str, str]:
        """The corners of the rooks of the rights K, Q, k and q."""
        right, top = FILES[self._width - 1], self._height
        return {"K": f"{right}1", "Q": "a1", "k": f"{right}{top}", "q": f"a{top}"}

    def _left(self, state: State) -> list[str]:
        counts = self._values(state, "checks")
        if not counts:
            return []
        most = int(text_of(self._fields["checks"].domain.values[-1]))
        return ["+".join(str(most - int(count)) for count in counts)]

    def _set_board(self, cells: list[int | None], text: str) -> None:
        board, _, hand = text.replace("]", "").partition("[")
        rows = board.split("/")
        if len(rows) != self._height:
            raise ValueError(f"a board has {self._height} rows in FEN, not {len(rows)}")
        owners = {
            sign: text_of(player)
            for player, sign in zip(self._model.players, ("first", "second"), strict=True)
        }
        nobody = next(
            text_of(v) for v in self._owner.domain.values if text_of(v) not in owners.values()
        )
        nothing = next(text_of(v) for v in self._kind.domain.values if text_of(v) not in LETTERS)
        kinds = {letter: kind for kind, letter in LETTERS.items()}
        is_promoted = []
        place = 0
        for number, row in zip(range(self._height, 0, -1), rows, strict=True):
            place = (number - 1) * self._width
            signs = re.sub(r"\d+", lambda count: "." * min(int(count[0]), 99), row)
            for sign, mark in re.findall(r"(.)(~?)", signs):
                if place >= number * self._width:
                    break
                if sign != "." and sign.lower() not in kinds:
                    raise ValueError(f"{sign!r} is no sign of a man in FEN: KQRBNP, kqrbnp")
                player = nobody if sign == "." else owners["first" if sign.isupper() else "second"]
                self._put(cells, self._owner, place, player)
                self._put(cells, self._kind, place, kinds.get(sign.lower(), nothing))
                is_promoted.append((place, bool(mark)))
                place += 1
            length = len(signs.replace("~", ""))
            if length != self._width:
                raise ValueError(f"row {number} has {length} squares in the FEN, not {self._width}")
        if "promoted" in self._fields:
            for place, mark in is_promoted:
                self._set(cells, "promoted", place, str(mark).lower())
        if "stock" in self._fields:
            for place, sign in enumerate(self._hand()):
                self._set(cells, "stock", place, str(hand.count(sign) if sign else 0))

    def _set_rights(self, cells: list[int | None], rights: str) -> None:
        wrong = next((right for right in rights if right not in "KQkq-"), None)
        if wrong is not None:
            raise ValueError(f"rights to castle are KQkq or - in FEN, not {wrong!r}")
        if "castling" not in self._fields:
            return
        kept = {corner for right, corner in self._corners().items() if right in rights}
        for place, square in enumerate(self._squares):
            self._set(cells, "castling", place, str(square in kept).lower())

    def _set(self, cells: list[int | None], field: str, place: int, value: str) -> None:
        self._put(cells, self._fields[field], place, value)

    def _put(self, cells: list[int | None], variable: Variable, place: int, value: str) -> None:
        """Store a value in a cell. Raises ValueError for a value that the cell cannot have."""
        domain = variable.domain_of(place)
        for digit, possible in enumerate(variable.domain.values):
            if text_of(possible) == value:
                cells[variable.offset + place] = digit
                return
        raise ValueError(f"`{variable.cell_name(place)}` cannot be {value}: {domain}")
