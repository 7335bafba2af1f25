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

/** The board of the rules beside them, drawn anew whenever a file of rules is saved. */
async function openPreview() {
  const editor = gameEditor();
  if (!editor) return;
  await editor.document.save();
  if (!preview) {
    const panel = vscode.window.createWebviewPanel("gamedsl.board", "Board", {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
    });
    preview = { panel };
    panel.onDidDispose(() => (preview = undefined));
  }
  preview.panel.reveal(undefined, true);
  show(editor.document);
}

function show(document) {
  if (!preview) return;
  const shown = preview;
  shown.file = document.fileName;
  shown.panel.title = `Board: ${document.fileName.split(/[\\/]/).pop()}`;
  const number = (shown.number = (shown.number ?? 0) + 1);
  const settings = { timeout: LONGEST, maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: "1" } };
  execFile(program(), ["show", document.fileName, "--format", "svg"], settings, (error, picture, told) => {
    if (shown !== preview || number !== shown.number) return; // asked again meanwhile, or closed
    shown.panel.webview.html = page(error ? `<pre>${escaped(told || error.message)}</pre>` : picture);
  });
}

function escaped(text) {
  return text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
}

/** A page that runs nothing and fetches nothing. */
function page(content) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
  body { padding: 1rem; }
  svg { display: block; margin: auto; max-width: 100%; height: auto; background: #fff; border-radius: 8px; }
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
