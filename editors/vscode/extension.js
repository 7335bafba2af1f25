// The client: starts `gamedsl lsp`, runs commands of the program in a terminal, and shows the board
// that `gamedsl show` draws. It finds out nothing about a text itself.
"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const COMMANDS = ["check", "solve", "play", "tree", "explain"];

const LONGEST = 20000; // milliseconds that a picture may take

let client;
let preview; // the panel with the board, and the file that it is of

function program() {
  return vscode.workspace.getConfiguration("gamedsl").get("command") || "gamedsl";
}

async function start() {
  const server = { command: program(), args: ["lsp"] };
  client = new LanguageClient("gamedsl", "gamedsl", server, {
    documentSelector: [{ language: "gamedsl" }],
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.game") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `gamedsl: \`${server.command} lsp\` did not start: ${error.message || error}. ` +
        'Install it with pip install ".[lsp]" in a checkout of gamedsl, or name it in the setting gamedsl.command.',
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

/** The editor with a file of rules, or undefined, and a word to the person. */
function gameEditor() {
  const editor = vscode.window.activeTextEditor;
  if (isGame(editor?.document)) return editor;
  vscode.window.showInformationMessage("gamedsl: open and save a .game file first.");
  return undefined;
}

function isGame(document) {
  return document?.languageId === "gamedsl" && !document.isUntitled;
}

/** Runs a command on a file: the one of a lens, by its URI, or the one in the editor. */
async function runInTerminal(command, uri) {
  const asked = typeof uri === "string" ? await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)) : undefined;
  const document = isGame(asked) ? asked : gameEditor()?.document;
  if (!document) return;
  await document.save();
  const terminal = vscode.window.createTerminal({
    name: `gamedsl ${command}`,
    shellPath: program(),
    shellArgs: [command, document.fileName],
  });
  terminal.show();
}

/** The board of the rules beside them, to be played on, drawn anew whenever a file of rules is saved. */
async function openPreview() {
  const editor = gameEditor();
  if (!editor) return;
  await editor.document.save();
  if (!preview) {
    const panel = vscode.window.createWebviewPanel("gamedsl.board", "Board", {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    }, { enableCommandUris: ["gamedsl.step"] });
    preview = { panel, moves: [] };
    panel.onDidDispose(() => (preview = undefined));
  }
  preview.panel.reveal(undefined, true);
  show(editor.document);
}

function show(document) {
  if (!preview) return;
  if (preview.file !== document.fileName) preview.moves = [];
  preview.file = document.fileName;
  preview.panel.title = `Board: ${document.fileName.split(/[\\/]/).pop()}`;
  draw();
}

/** Carry out a move or a chance event in the preview; null takes the last one back. */
function step(move) {
  if (!preview) return;
  preview.moves = move === null ? preview.moves.slice(0, -1) : [...preview.moves, move];
  draw();
}

/** The board after the moves, and the moves from there as links. */
async function draw() {
  const shown = preview;
  const number = (shown.number = (shown.number ?? 0) + 1);
  const { file, moves } = shown;
  const at = moves.length ? ["--at", moves.join(" ")] : [];
  const [board, count] = await Promise.all([
    answer(["show", file, "--format", "svg", ...at]),
    answer(["perft", file, "1", "--divide", "--json", "--quiet", ...at]),
  ]);
  if (shown !== preview || number !== shown.number) return; // asked again meanwhile, or closed
  if (board.error && moves.length) return step(null); // the rules have changed
  const content = board.error ? `<pre>${escaped(board.error)}</pre>` : board.out;
  shown.panel.webview.html = page(content + links(moves, count.error ? {} : JSON.parse(count.out).moves));
}

/** What the program prints, or what it says against the request. */
function answer(words) {
  const settings = { timeout: LONGEST, maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: "1" } };
  return new Promise((done) => {
    execFile(program(), words, settings, (error, out, told) => done(error ? { error: told || error.message } : { out }));
  });
}

function links(moves, next) {
  const link = (move, words) => {
    const target = `command:gamedsl.step?${encodeURIComponent(JSON.stringify([move]))}`;
    return `<a href="${escaped(target)}">${escaped(words)}</a>`;
  };
  const back = moves.length ? link(null, "take back") : "";
  return `<p>${escaped(moves.join(" "))} ${back}</p><p>${Object.keys(next).map((move) => link(move, move)).join(" ")}</p>`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}

/** A page that runs nothing and fetches nothing. */
function page(content) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
  body { padding: 1rem; }
  svg { display: block; margin: auto; max-width: 100%; height: auto; background: #fff; border-radius: 8px; }
  a { display: inline-block; margin: 0.1rem 0.3rem; }
  pre { white-space: pre-wrap; font-family: var(--vscode-editor-font-family); }
</style></head><body>${content}</body></html>`;
}

async function activate(context) {
  for (const command of COMMANDS) {
    context.subscriptions.push(
      vscode.commands.registerCommand(`gamedsl.${command}`, (uri) => runInTerminal(command, uri)),
    );
  }
  context.subscriptions.push(
    vscode.commands.registerCommand("gamedsl.preview", openPreview),
    vscode.commands.registerCommand("gamedsl.step", step),
    vscode.workspace.onDidSaveTextDocument((document) => isGame(document) && show(document)),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (isGame(editor?.document) && editor.document.fileName !== preview?.file) show(editor.document);
    }),
    vscode.commands.registerCommand("gamedsl.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("gamedsl.command")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
