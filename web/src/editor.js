// The editor: CodeMirror as a view of the rules, with colours from the words of the language, and
// everything else asked of the language services in the worker.
import { acceptCompletion, autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, isolateHistory } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { forEachDiagnostic, lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import MarkdownIt from "markdown-it";
import colours from "../build/colours.json";
import { announce, byId, element } from "./dom.js";

const TAGS = {
  "comment.line.number-sign": "comment",
  "string.quoted.double": "string",
  "keyword.other.section": "heading",
  "keyword.control": "keyword",
  "keyword.operator.word": "keyword",
  "keyword.other.outcome": "keyword",
  "support.function": "variableName.function",
  "constant.language": "atom",
  "entity.name.function": "variableName.definition",
  "constant.numeric": "number",
  "keyword.operator": "operator",
  punctuation: "punctuation",
};
const RULES = colours.map(([colour, match]) => [TAGS[colour] ?? null, new RegExp(match, "y")]);

const language = StreamLanguage.define({
  name: "gamedsl",
  token(stream) {
    if (stream.eatSpace()) return null;
    for (const [tag, rule] of RULES) {
      rule.lastIndex = stream.pos;
      const found = rule.exec(stream.string);
      if (found !== null && found[0].length > 0) {
        stream.pos += found[0].length;
        return tag;
      }
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});

const colouring = HighlightStyle.define([
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.heading, class: "tok-section" },
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.function(tags.variableName), class: "tok-function" },
  { tag: tags.definition(tags.variableName), class: "tok-declared" },
  { tag: tags.atom, class: "tok-constant" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.operator, class: "tok-operator" },
  { tag: tags.punctuation, class: "tok-punctuation" },
]);

const markdown = new MarkdownIt({ html: false, linkify: false });
markdown.disable(["link", "image", "autolink"]);

/** Markdown as an element; links are left as they are written. */
export function rendered(text) {
  const box = element("div", { class: "markdown" });
  box.innerHTML = markdown.render(text);
  return box;
}

const KINDS = { function: "function", definition: "function", move: "method", effect: "method",
  keyword: "keyword", word: "keyword", type: "type", local: "variable", parameter: "variable" };

export class Editor {
  /** A view of `rules`, which are told what is typed. */
  constructor(parent, rules, text) {
    this.rules = rules;
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(), EditorView.lineWrapping, highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(),
          bracketMatching(), closeBrackets(), highlightSelectionMatches(), search({ top: true }),
          language, indentUnit.of("    "), EditorState.tabSize.of(4), syntaxHighlighting(colouring),
          autocompletion({ override: [(context) => this.#completions(context)] }),
          hoverTooltip((view, position) => this.#hover(position), { hideOnChange: true }),
          lintGutter(),
          EditorView.contentAttributes.of({ "aria-label": "Rules of the game", "aria-describedby": "leaving", spellcheck: "false", tabindex: "0" }),
          EditorView.updateListener.of((update) => update.docChanged && !this.isReplacing && rules.typed(this.#text)),
          keymap.of([
            { key: "Tab", run: acceptCompletion }, { key: "Tab", run: indentMore, shift: indentLess }, { key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess },
            { key: "Shift-Alt-f", run: () => (rules.format(), true) },
            { key: "F8", run: nextDiagnostic },
            { key: "Mod-.", run: () => (this.#offerFixes(), true) },
            { key: "Enter", run: indented },
            ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap,
          ]),
        ],
      }),
    });
  }

  get #text() {
    return this.view.state.doc.toString();
  }

  /** Make edits that are not typed. */
  replace(edits, { isNew = false } = {}) {
    this.isReplacing = true;
    this.view.dispatch({ changes: edits, ...(isNew ? { selection: { anchor: 0 }, scrollIntoView: true, annotations: isolateHistory.of("full") } : {}) });
    this.isReplacing = false;
  }

  goTo(from, to) {
    this.view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    this.view.focus();
  }

  /** Mark findings in the text. */
  mark(findings) {
    this.view.dispatch(setDiagnostics(this.view.state, findings.map((one) => ({
      from: one.from, to: one.to, message: one.message, source: one.code,
      severity: one.severity === "note" ? "info" : one.severity,
    }))));
  }

  /** A menu of what would mend the finding at the cursor, or the next one in the line. */
  async #offerFixes() {
    const { state } = this.view;
    const text = this.#text;
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    const here = [];
    forEachDiagnostic(state, ({ source, severity }, from, to) => {
      if (severity !== "info" && from <= line.to && to >= line.from) here.push({ from, to, code: source });
    });
    here.sort((one, other) => far(one, head) - far(other, head));
    const fixes = (await Promise.all(here.map((one) => this.rules.fixes(one, text)))).flat();
    if (text !== this.#text) return;
    const menu = byId("fixes");
    if (fixes.length === 0) return announce(here.length ? "there is no proposal for this" : "no finding in this line");
    const close = () => menu.open && menu.close();
    menu.replaceChildren(...fixes.map((fix) => element("button", { type: "button", text: fix.title, click: () => {
      close();
      if (text === this.#text) this.rules.apply(fix.edits);
    } })));
    menu.onkeydown = (event) => {
      const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const buttons = [...menu.children];
      buttons[(buttons.indexOf(document.activeElement) + way + buttons.length) % buttons.length].focus();
    };
    menu.onclose = () => this.view.focus();
    menu.onclick = (event) => event.target === menu && close(); // beside it
    menu.showModal();
    const at = this.view.coordsAtPos(Math.max(line.from, Math.min(here[0].from, line.to)));
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(4, Math.min(at?.left ?? 4, innerWidth - width - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(at?.bottom ?? 4, innerHeight - height - 4))}px`;
  }

  async #hover(position) {
    const text = this.#text;
    const found = await this.rules.engine.ask("hover", { text, offset: position }).catch(() => null);
    if (found === null || text !== this.#text) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: rendered(found.markdown) }) };
  }

  /** Proposals for the word before the cursor; none, unless asked for, behind a word that is complete: arrow keys move the cursor there. */
  async #completions(context) {
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (!context.explicit && word === null) return null;
    const found = await this.rules.engine.ask("complete", { text: this.#text, offset: context.pos }).catch(() => []);
    const labels = new Set(found.map((one) => one.label));
    if (found.length === 0 || context.aborted || (!context.explicit && labels.has(word.text))) return null;
    return {
      from: found[0].from,
      validFor: (typed) => /^\w*$/.test(typed) && !labels.has(typed),
      options: found.map((one) => ({
        label: one.label, detail: one.detail, type: KINDS[one.kind] ?? "constant", boost: -one.rank,
        info: one.markdown ? () => rendered(one.markdown) : undefined,
      })),
    };
  }
}

const far = ({ from, to }, place) => Math.max(from - place, place - to, 0);

/** A new line, as far in as the one before, and further behind a colon. */
function indented(view) {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const before = line.text.slice(0, state.selection.main.head - line.from);
  const deeper = /:\s*(#.*)?$/.test(before) ? "    " : "";
  view.dispatch(state.replaceSelection("\n" + /^ */.exec(before)[0] + deeper), { scrollIntoView: true });
  return true;
}
