"""How fast the language server answers while a text is edited, and whether it survives.

`python -m benchmarks.editing [GAME ...] [--edits 1000] [--seed 0]`: a server in a process of its
own, a client, random edits of a shipped game, and after each one request of each kind at a random
place, in random order. Prints for each kind the median and the 95th percentile in milliseconds,
from the request to its answer, and the same of the first request after each edit, which reads the
text; requests that fail are printed and make the exit status 1.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from gamedsl.game.library import shipped_game
from tests.fuzz.texts import mutant
from tests.generation.dice import SeededDice

URI = "file:///nowhere/edited.game"
FRESH_EVERY = 8
"""After so many edits the text is as it was: else it would soon be rubble."""

REFUSED = -32803
"""The protocol's code for a request, such as a rename, that is refused with a reason."""

Ask = Callable[[], Awaitable[Any]]


def main() -> int:
    """Edit, ask, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["chess"])
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    failed = 0
    for name in chosen.games:
        path = shipped_game(name)
        if path is None:
            parser.error(f"there is no shipped game {name}")
        failed += asyncio.run(edited(name, path.read_text("utf-8"), chosen.edits, chosen.seed))
    return 1 if failed else 0


async def edited(name: str, whole: str, edits: int, seed: int) -> int:
    """The number of requests that failed."""
    client = LanguageClient("benchmark", "1")

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _heard(_: types.PublishDiagnosticsParams) -> None:
        pass

    await client.start_io(sys.executable, "-m", "gamedsl", "lsp")
    await client.initialize_async(types.InitializeParams(types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    item = types.TextDocumentItem(URI, "gamedsl", 0, whole)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    dice, text, failed = random.Random(seed), whole, 0
    times: dict[str, list[float]] = defaultdict(list)
    first: list[float] = []
    for number in range(1, edits + 1):
        text = whole if number % FRESH_EVERY == 1 else text
        text = mutant(SeededDice(seed * 1_000_000 + number), text)
        change = types.TextDocumentContentChangeWholeDocument(text)
        document = types.VersionedTextDocumentIdentifier(number, URI)
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        requests = list(requests_at(client, place_in(text, dice)).items())
        dice.shuffle(requests)
        for kind, ask in requests:
            started = time.perf_counter()
            try:
                await asyncio.wait_for(ask(), 60)
            except Exception as error:  # noqa: BLE001 (this is what is looked for)
                if getattr(error, "code", None) != REFUSED:
                    failed += 1
                    print(f"{kind} failed after edit {number}: {error!r}")
            taken = (time.perf_counter() - started) * 1000
            times[kind].append(taken)
            if kind == requests[0][0]:
                first.append(taken)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    first_of = ("first after edit", first)
    everything = [one for found in times.values() for one in found]
    print(f"{name}: {edits} edits, {len(everything)} answers, {failed} failures")
    for kind, found in [("all", everything), first_of, *sorted(times.items())]:
        last = statistics.quantiles(found, n=20)[-1] if len(found) > 1 else found[0]
        print(f"  {kind:<16} median {statistics.median(found):7.1f} ms   95 % {last:7.1f} ms")
    return failed


def place_in(text: str, dice: random.Random) -> types.Position:
    """A place of a text."""
    line = dice.randrange(text.count("\n") + 1)
    return types.Position(line, dice.randrange(len(text.split("\n")[line]) + 1))


def requests_at(client: LanguageClient, position: types.Position) -> dict[str, Ask]:
    """A request of each kind."""
    document = types.TextDocumentIdentifier(URI)
    at: dict[str, Any] = {"text_document": document, "position": position}
    found = types.ReferenceContext(include_declaration=True)
    here, nothing = types.Range(position, position), types.CodeActionContext([])
    layout = types.FormattingOptions(4, True)
    return {
        "hover": lambda: client.text_document_hover_async(types.HoverParams(**at)),
        "completion": lambda: client.text_document_completion_async(types.CompletionParams(**at)),
        "definition": lambda: client.text_document_definition_async(types.DefinitionParams(**at)),
        "references": lambda: client.text_document_references_async(
            types.ReferenceParams(found, **at)
        ),
        "highlight": lambda: client.text_document_document_highlight_async(
            types.DocumentHighlightParams(**at)
        ),
        "signature": lambda: client.text_document_signature_help_async(
            types.SignatureHelpParams(**at)
        ),
        "symbols": lambda: client.text_document_document_symbol_async(
            types.DocumentSymbolParams(document)
        ),
        "folding": lambda: client.text_document_folding_range_async(
            types.FoldingRangeParams(document)
        ),
        "tokens": lambda: client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(document)
        ),
        "formatting": lambda: client.text_document_formatting_async(
            types.DocumentFormattingParams(document, layout)
        ),
        "rename": lambda: client.text_document_rename_async(
            types.RenameParams(new_name="renamed", **at)
        ),
        "code actions": lambda: client.text_document_code_action_async(
            types.CodeActionParams(document, here, nothing)
        ),
    }


if __name__ == "__main__":
    sys.exit(main())
