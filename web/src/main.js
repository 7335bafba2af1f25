// The page: an editor, a board and answers, with three workers behind them. The desk answers at once
// (texts, positions); the bench solves and searches, and can be stopped at any time; the tester plays
// what has been written, to find what reading does not, and is stopped by the next edit.
import { Board } from "./board.js";
import { announce, byId, element } from "./dom.js";
import { Engine, Stopped } from "./engine.js";
import { Gallery, aboutOf, titleOf } from "./gallery.js";
import { keep, kept } from "./keeping.js";
import { Memory } from "./memory.js";
import { Rules } from "./rules.js";
import { asked, frameOf, linkOf } from "./share.js";
import { Views } from "./views.js";
import { Yours } from "./yours.js";

/* global FIRST */ // the game that a first visit begins with
const LONGEST_SETTING = 20; // characters of a parameter that has a field of its own
const REST = 300; // milliseconds between the first game and Python, in which the page is painted
const SLOW = 1200; // milliseconds after which the page says that something is being worked out

const memory = new Memory();
const desk = new Engine(memory);
const bench = new Engine();
const tester = new Engine();
const rules = new Rules(byId("editor"), desk, { onChange: changed, onFindings: found });
const board = new Board(desk, bench, { onMove: () => views.moved() });
const views = new Views(bench, () => ({ text: board.text, moves: board.moves }), lookAtRules);
const gallery = new Gallery({ onChoice: openExample, onStart: begun, onYours: bringBack });
const yours = new Yours((texts) => gallery.showYours(texts));

let busySince = null;
let putAway = null; // rules that were written here, when other rules have just been opened
let origin = ""; // the text that was opened last, which may have been changed since
let opened = ""; // the text that the address stands for
let settings = { text: "", places: new Map() }; // the parameters of a text, with their places
const entered = new Map(); // values of parameters that are still to be written into the rules
let movesToMake = []; // of the play that a link holds
let choices = 0; // of shipped games, so that an earlier one that comes late is left alone
let shipped = null; // the text of the shipped game that was opened last
let played = null; // the text that is played to find mistakes, and what will be found

function showWork() {
  const failed = [desk, bench].find((one) => one.state === "failed");
  if (failed) byId("state").textContent = `This page cannot start Python: ${failed.message}`;
  const isBusy = bench.busy || desk.busy;
  busySince = isBusy ? (busySince ?? performance.now()) : null;
  if (!isBusy) byId("work").hidden = true;
}

setInterval(() => {
  if (busySince === null) return;
  const past = performance.now() - busySince;
  if (past < SLOW || desk.state !== "ready") return;
  byId("work").hidden = false;
  byId("work-words").textContent = `working, ${Math.round(past / 1000)} s`;
}, 250);

byId("stop").onclick = () => {
  (bench.busy ? bench : desk).stop();
  byId("work").hidden = true;
  wait(false);
  announce("stopped");
};

/** The board of other rules is not to be played on while these are read. */
function wait(isWaiting) {
  byId("board").inert = isWaiting;
}

/** Show rules: those of somebody else, or `isOwn`, written here. What was written here before is put away. */
function open(text, moves = [], isOwn = false) {
  const before = yours.written(rules.text);
  if (isOwn) yours.take(text);
  else if (text !== before) yours.copies.add(text);
  putAway = before && before !== text ? before : null;
  if (putAway !== null) yours.add(before);
  entered.clear();
  opened = origin = text;
  movesToMake = moves;
  gallery.show(false);
  if (text !== board.text) wait(true);
  else if (moves.length) board.replay(moves);
  rules.text = text;
}

/** What was put away last is offered, until it is back, or other rules are opened. */
function offer() {
  byId("away").hidden = putAway === null || putAway === rules.text;
  byId("away-title").textContent = putAway === null ? "" : titleOf(putAway);
}

/** Rules that are new here: the address stands for nothing any more. */
function start(text, isOwn = false) {
  open(text, [], isOwn);
  history.replaceState(null, "", location.pathname + location.search);
}

/** A new game of one's own begins with its rules. */
function begun(text) {
  start(text);
  byId("tab-rules").click();
}

function bringBack(text) {
  start(text, true);
  opened = ""; // the address does not stand for it
}

function changed() {
  yours.keep(rules.text);
  offer();
  tester.stop();
  played = null;
  byId("claims").hidden = true;
  if (rules.text === opened) return;
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

/** What checking has found in a text: listed below the editor, and, if it is a game, shown. */
async function found({ findings, game, params }, text) {
  const words = list(findings, text, "no mistakes in the text");
  byId("verdict").classList.remove("right"); // it has not been played yet
  byId("looked").textContent = "";
  if (game !== null && (text !== shipped || !byId("panel-rules").hidden)) test(text);
  byId("stale").hidden = game !== null;
  showParams(params, text);
  if (game === null) {
    wait(false);
    return announce(words);
  }
  if (text !== board.text) {
    if (bench.busy) bench.stop();
    views.open(game);
    await board.open(text, game, movesToMake);
    movesToMake = [];
    describe(text);
    if (text !== board.text) return undefined;
  }
  wait(false);
  byId("title").textContent = `${game.title}${isChanged(text) ? " (changed)" : ""}`; // with its board: what is asked now is about this game
  document.title = `${game.title} - gamedsl playground`;
  document.body.dataset.ready = "true";
  return undefined;
}

/** Findings below the editor, and how many there are in a word; how many mistakes, in words. */
function list(findings, text, none) {
  byId("findings").replaceChildren(...findings.map((one) => findingItem(one, text)));
  const errors = findings.filter((one) => one.severity === "error").length;
  const claims = findings.every((one) => one.severity !== "error" || one.code === "E4001");
  const noun = claims ? "claim" : "mistake"; // after a change, the claims are those of the game before
  const counted = `${errors} ${noun}${errors === 1 ? "" : "s"}`;
  const words = errors ? `${counted}${claims ? " to mend" : ""}` : none;
  offerToDrop(findings.filter((one) => one.code === "E4001" && text.startsWith("expect", one.from)), text);
  byId("verdict").textContent = words;
  byId("verdict").className = errors ? "wrong" : "right";
  byId("tab-rules").textContent = errors ? `Rules (${counted})` : "Rules";
  return words;
}

/** False claims can be left out at once. */
function offerToDrop(claims, text) {
  byId("claims").hidden = claims.length === 0;
  byId("drop-claims").textContent = claims.length === 1 ? "Leave out the false claim" : `Leave out the ${claims.length} false claims`;
  byId("drop-claims").onclick = () => text === rules.text && rules.apply(claims.map((one) => lineOf(text, one.from)));
}

/** The edit that takes away the line of a place. */
function lineOf(text, place) {
  const from = text.lastIndexOf("\n", place - 1) + 1;
  const end = text.indexOf("\n", place);
  return { from, to: end < 0 ? text.length : end + 1, insert: "" };
}

/** The comment at the top of the rules; that of other rules, which have been changed since, says so. */
function describe(text) {
  const about = aboutOf(text);
  byId("about").textContent = about && about === aboutOf(origin) && isChanged(text) ? `Changed from ${titleOf(origin)}. The comment at the top of the rules still describes that game.` : about;
}

/** Other rules than those opened, under the same title? */
const isChanged = (text) => titleOf(text) === titleOf(origin) && ruleOf(text) !== ruleOf(origin);

/** A text without settings, claims and comments. */
const ruleOf = (text) => text.replace(/#.*$|^(param|expect|game) .*$/gm, "").replace(/\s+/g, " ");

/** The rules are shown; those of a shipped game are played only now, for others have played them. */
function lookAtRules() {
  rules.edit();
  if (rules.text === shipped && rules.text === board.text) test(shipped);
}

/** Play a text and verify its claims, beside everything else; say how far that has got. */
async function test(text) {
  const isOld = () => text !== rules.text;
  const tell = (words) => isOld() || (byId("looked").textContent = words);
  tell("The rules will be played, to find more mistakes, as soon as Python runs.");
  await desk.ready;
  if (isOld()) return;
  if (played?.text !== text) {
    tell("The rules are being played, to find more mistakes.");
    played = { text, answer: tester.ask("check", { text }, (told) => tell(`The rules are being played, to find more mistakes: ${told}.`)) };
  }
  try {
    const found = await played.answer;
    if (isOld()) return;
    rules.mark(found.findings);
    announce(list(found.findings, text, "no mistakes found"));
    tell(`Checked: ${found.looked_at}.`);
  } catch (error) {
    if (!(error instanceof Stopped)) tell(`Playing the rules has failed: ${error.message}`);
  }
}

/** A field for each parameter: what is entered there is written into the rules. Fields stay while the parameters are the same. */
function showParams(params, text) {
  const short = params.filter(({ value }) => value.length <= LONGEST_SETTING);
  byId("params-box").hidden = short.length === 0;
  const fields = [...byId("params").querySelectorAll("input")];
  if (fields.map((field) => field.name).join() !== short.map(({ name }) => name).join()) {
    byId("params").replaceChildren(...short.map(({ name, value }) => element("label", {}, element("span", { text: name }),
      element("input", { name, value, "data-value": value, size: 6, spellcheck: "false", autocomplete: "off", inputmode: /^\d+$/.test(value) ? "numeric" : "text",
        change: (event) => enter(event.target) }))));
  } else {
    for (const [n, { value }] of short.entries()) {
      const isUsed = fields[n].value !== fields[n].dataset.value; // something else stands there, and is still to be entered
      fields[n].dataset.value = value;
      if (!isUsed && fields[n].value !== value) fields[n].value = value;
    }
  }
  settings = { text, places: new Map(short.map((one) => [one.name, one])) };
  writeEntered();
}

/** A value is entered in a field: it is written as soon as the place of the parameter in the rules is known. */
function enter(field) {
  const insert = field.value.trim();
  field.value = insert || field.dataset.value;
  if (insert) entered.set(field.name, insert);
  writeEntered();
}

function writeEntered() {
  if (entered.size === 0 || settings.text !== rules.text) return; // the text is being read; its settings come
  const edits = [...entered].filter(([name]) => settings.places.has(name)).map(([name, insert]) => ({ ...settings.places.get(name), insert }))
    .filter(({ value, insert }) => value !== insert);
  for (const [name, insert] of entered) byId("params").querySelector(`[name="${name}"]`)?.setAttribute("data-value", insert);
  entered.clear();
  if (edits.length) rules.apply(edits.map(({ from, to, insert }) => ({ from, to, insert })));
}

function findingItem(one, text) {
  const line = text.slice(0, one.from).split("\n").length;
  const [first, ...more] = one.message.split("\n");
  const item = element("li", { class: one.severity },
    element("button", { type: "button", class: "place", text: `line ${line}`, click: () => rules.goTo(one.from, one.to) }),
    element("div", { class: "message" }, element("p", { text: first }), ...more.map((words) => element("p", { class: "more", text: words })),
      element("div", { class: "actions" })));
  const actions = item.querySelector(".actions");
  if (one.code) actions.append(element("button", { type: "button", class: "link", text: `${one.code}: why?`, click: () => showRule(one.code) }));
  if (one.severity !== "note") {
    rules.fixes(one, text).then((fixes) => {
      actions.prepend(...fixes.map((fix) => element("button", { type: "button", class: "fix", text: fix.title,
        click: () => rules.text === text && rules.apply(fix.edits) })));
    }, () => {});
  }
  return item;
}

async function showRule(code) {
  const [page, { rendered }] = await Promise.all([desk.ask("rule", { code }), import("./editor.js")]);
  byId("rule-text").replaceChildren(rendered(page ?? `There is no page about ${code}.`));
  byId("rule").showModal();
}
byId("close-rule").onclick = () => byId("rule").close();

/** Patterns of the cookbook about what has been asked. */
byId("say").oninput = async () => {
  const question = byId("say").value;
  const [patterns, { rendered }] = await Promise.all([desk.ask("patterns", { words: question }), import("./editor.js")]);
  if (question !== byId("say").value) return;
  const none = question.trim() ? ["There is nothing about this in the cookbook; other words may find more."] : [];
  byId("patterns").replaceChildren(...(patterns.length ? patterns : none).map(rendered));
  for (const rules of byId("patterns").querySelectorAll("pre")) {
    rules.after(element("button", { type: "button", class: "link", text: "Copy these rules", click: async ({ target }) => {
      const isCopied = await navigator.clipboard?.writeText(rules.textContent).then(() => true, () => false);
      if (!isCopied) getSelection().selectAllChildren(rules);
      target.textContent = isCopied ? "Copied" : "Selected: copy from here";
      announce(target.textContent);
    } }));
  }
};

/** Open a shipped game; whether there is one of this name. */
async function openExample(name) {
  const choice = ++choices;
  const entries = await desk.ask("examples");
  if (!entries.some((one) => one.name === name)) {
    tell(`There is no game ${name} here; these are the games.`);
    gallery.show(true);
    return false;
  }
  const made = await memory.load(name).catch(() => null); // Python knows it too
  const text = await desk.ask("example", { name });
  if (choice !== choices) return true;
  for (const engine of [desk, bench, tester]) engine.hand(made);
  shipped = text;
  start(shipped);
  opened = shipped;
  history.replaceState(null, "", `#example=${name}`);
  return true;
}

function tell(words) {
  byId("state").textContent = words;
  announce(words);
}

byId("format").onclick = () => rules.format();

byId("open").onclick = () => byId("file").click();
byId("file").onchange = async (event) => {
  const [file] = event.target.files;
  if (file) start(await file.text());
  event.target.value = "";
};

byId("save").onclick = () => {
  const title = board.game?.title ?? "my game";
  const name = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "") || "my_game";
  const address = URL.createObjectURL(new Blob([rules.text], { type: "text/plain" }));
  element("a", { href: address, download: `${name}.game` }).click();
  URL.revokeObjectURL(address);
  announce(`saved as ${name}.game`);
};

byId("share").onclick = async () => {
  const link = await linkOf(rules.text, rules.text === board.text ? board.moves : []);
  opened = rules.text;
  history.replaceState(null, "", link);
  byId("link").value = link;
  byId("frame").value = frameOf(link, board.game?.title ?? "A game");
  byId("share-box").showModal();
  byId("link").select();
  byId("copied").textContent = await navigator.clipboard?.writeText(link).then(() => "It is copied.", () => "Copy it from here.") ?? "Copy it from here.";
};
byId("close-share").onclick = () => byId("share-box").close();
byId("copy-frame").onclick = () => navigator.clipboard?.writeText(byId("frame").value).then(() => announce("copied"), () => byId("frame").select());
byId("bring-back").onclick = () => bringBack(putAway);
byId("close-away").onclick = () => {
  putAway = null;
  offer();
};

const schemes = ["light dark", "light", "dark"];
const schemeNames = ["Light or dark: as the system", "Light", "Dark"];
function showScheme(number) {
  document.documentElement.style.colorScheme = schemes[number];
  document.documentElement.dataset.scheme = schemes[number];
  byId("scheme").title = schemeNames[number];
  byId("scheme").setAttribute("aria-label", schemeNames[number]);
  byId("scheme").textContent = "◐☀☾"[number];
}
let scheme = Number(kept("scheme")) % schemes.length || 0;
showScheme(scheme);
byId("scheme").onclick = () => {
  scheme = (scheme + 1) % schemes.length;
  keep("scheme", String(scheme));
  showScheme(scheme);
};

if (new URLSearchParams(location.search).get("board") === "alone") document.documentElement.dataset.alone = "true";

/** The rules of the last visit, or the first game, with the gallery above it. */
async function openUsual(isWhole) {
  if (isWhole && kept("rules")) {
    open(kept("rules"), [], yours.written("") !== "");
    if (gallery.wish) gallery.show(true);
    return;
  }
  await memory.load(FIRST).catch(() => {});
  shipped = await desk.ask("example", { name: FIRST });
  open(shipped);
  if (isWhole && !document.documentElement.dataset.alone && gallery.wish !== false) gallery.show(true);
}

async function begin() {
  const wanted = await asked();
  if (wanted.broken) tell("The rules in this link cannot be read; it may have been cut. Here is a game.");
  else if (desk.state === "ready") tell("");
  const listed = Promise.all([desk.ask("examples"), desk.ask("starts")]).then(([entries, starts]) => gallery.fill(entries, starts));
  const isUnknown = Boolean(wanted.example) && !(await openExample(wanted.example));
  if (wanted.text !== undefined) open(wanted.text, wanted.moves);
  else if (!wanted.example || (isUnknown && rules.text === "")) await openUsual(!wanted.broken);
  if (isUnknown) gallery.show(true);
  await listed;
}
window.addEventListener("hashchange", begin);

byId("state").textContent = "Python is being started…";
desk.onChange = bench.onChange = showWork;
desk.ready.then(() => {
  if (byId("state").textContent.startsWith("Python")) byId("state").textContent = "";
  bench.start();
  bench.ready.then(() => rules.edit());
  return navigator.serviceWorker?.register("service_worker.js");
}).catch((error) => tell(error.message));
memory.load("catalogue").catch(() => {}).then(begin).catch((error) => tell(error.message)).then(() => whenPainted(() => desk.start()));

/** Once the page has been painted and nothing else is to be done, or somebody does something. */
function whenPainted(work) {
  for (const act of ["pointerdown", "pointermove", "keydown", "scroll"]) addEventListener(act, work, { once: true, passive: true });
  setTimeout(() => (window.requestIdleCallback ?? setTimeout)(work), REST);
}
