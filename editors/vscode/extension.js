// The client: starts `gamedsl lsp` and runs commands of the program in a terminal. It finds out
// nothing about a text itself.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const COMMANDS = ["check", "solve", "play", "explain"];

let client;

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
        'Install it with pip install "gamedsl[lsp]", or name it in the setting gamedsl.command.',
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function runInTerminal(command) {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== "gamedsl" || editor.document.isUntitled) {
    vscode.window.showInformationMessage("gamedsl: open and save a .game file first.");
    return;
  }
  await editor.document.save();
  const terminal = vscode.window.createTerminal({
    name: `gamedsl ${command}`,
    shellPath: program(),
    shellArgs: [command, editor.document.fileName],
  });
  terminal.show();
}

async function activate(context) {
  for (const command of COMMANDS) {
    context.subscriptions.push(
      vscode.commands.registerCommand(`gamedsl.${command}`, () => runInTerminal(command)),
    );
  }
  context.subscriptions.push(
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
