"""Two examples of each command, for the end of its help; a test runs the options of each."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "new": ('gamedsl new "Fox and hounds" --kind board', 'gamedsl new "My dice game" --kind dice'),
    "how": ("gamedsl how roll a die", "gamedsl how capture"),
    "check": ("gamedsl check my.game", "gamedsl check games/*.game --format concise"),
    "compare": ("gamedsl compare nim my.game", "gamedsl compare nim openspiel:nim"),
    "fmt": ("gamedsl fmt my.game", "gamedsl fmt --check my.game"),
    "import": ("gamedsl import rules.kif", "gamedsl import rules.kif -o rules.game"),
    "rule": ("gamedsl rule E1001", "gamedsl rule"),
    "show": ('gamedsl show chess --at "e2e4 e7e5"', "gamedsl show chess --format svg -o chess.svg"),
    "lsp": ("gamedsl lsp",),
    "playground": ("gamedsl playground",),
    "games": ("gamedsl games", "gamedsl games hex --rules"),
    "play": ("gamedsl play tic_tac_toe", "gamedsl play connect_four --as Yellow --time 5s"),
    "match": ("gamedsl match hex --against random", "gamedsl match nim --first search:plays=100"),
    "tournament": (
        "gamedsl tournament nim --player level:2 --player level:5 --player random",
        "gamedsl tournament nim --player level:1 --player openspiel:plays=9",
    ),
    "ladder": ("gamedsl ladder connect_four", "gamedsl ladder hex --highest 4 --pairs 20"),
    "analyse": ("gamedsl analyse hex", "gamedsl analyse my.game --time 60s --format html"),
    "puzzles": ("gamedsl puzzles hexapawn -n 20", "gamedsl puzzles hex --format html -o hex.html"),
    "sweep": (
        "gamedsl sweep nim hex --do check",
        "gamedsl sweep hex -D width=2..4 --out hex.jsonl",
    ),
    "playouts": ("gamedsl playouts pig", "gamedsl playouts chess -n 100"),
    "count": ("gamedsl count tic_tac_toe", "gamedsl count mnk -D width=4 --symbolic"),
    "perft": ("gamedsl perft chess 3", "gamedsl perft tic_tac_toe 9 --divide"),
    "engine": ("gamedsl engine chess", "gamedsl engine go --gtp"),
    "estimate": ("gamedsl estimate connect_four", "gamedsl estimate my.game --time 30s"),
    "solve": ("gamedsl solve tic_tac_toe", "gamedsl solve connect_four --time 10m"),
    "best": ("gamedsl best tic_tac_toe --at b2", "gamedsl best chess --time 30s"),
    "probe": ("gamedsl probe nim.solution", 'gamedsl probe nim.solution --at "take(a, 1)"'),
    "verify": ("gamedsl verify nim.solution", "gamedsl verify nim.solution --positions all"),
    "explain": (
        "gamedsl explain kuhn_poker",
        "gamedsl explain pig --format latex -o pig.tex",
    ),
    "tree": (
        "gamedsl tree aima_fig_5_2 --algorithm alpha-beta",
        "gamedsl tree tic_tac_toe --depth 2 --symmetry --format svg -o tree.svg",
    ),
    "trace": (
        "gamedsl trace aima_fig_5_2",
        "gamedsl trace othello_small --cutoff 3 --summary",
    ),
    "exercise": ("gamedsl exercise", 'gamedsl exercise first_cuts "b b3"'),
    "cache": ("gamedsl cache", "gamedsl cache --clear"),
}
