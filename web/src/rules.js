// The rules that are written: their text, and what checking finds in it. The editor is a view of the
// text; it is loaded when the rules are first looked at, or when the page has nothing else to do.

const PAUSE = 250; // milliseconds without a key before the text is checked

export class Rules {
  #text = "";
  #findings = [];
  #view = null;
  #before = []; // texts that others have replaced before there was an editor: it can go back to them
  #loading = null;
  #checking = 0;

  /** `engine` answers; `onFindings(result, text)` is told what is found after each change. */
  constructor(parent, engine, { onChange, onFindings }) {
    Object.assign(this, { parent, engine, onChange, onFindings });
  }

  get text() {
    return this.#text;
  }

  set text(text) {
    if (this.#view) this.#view.replace([{ from: 0, to: this.#text.length, insert: text }], { isNew: true });
    else if (this.#text && this.#text !== text) this.#before.push(this.#text);
    this.#changed(text, 0);
  }

  /** Make edits, whose places are those of the text as it is. */
  apply(edits) {
    this.#view?.replace(edits);
    this.#changed([...edits].sort((one, other) => other.from - one.from)
      .reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), this.#text), 0);
  }

  /** What has been typed. */
  typed(text) {
    if (text !== this.#text) this.#changed(text, PAUSE);
  }

  /** The editor, with the text in it. */
  edit() {
    this.#loading ??= import("./editor.js").then(({ Editor }) => {
      const texts = [...this.#before, this.#text];
      this.#view = new Editor(this.parent, this, texts[0]);
      for (const [n, insert] of texts.slice(1).entries()) this.#view.replace([{ from: 0, to: texts[n].length, insert }], { isNew: true });
      this.#view.mark(this.#findings);
      return this.#view;
    });
    return this.#loading;
  }

  async goTo(from, to) {
    (await this.edit()).goTo(from, to);
  }

  /** Mark what was found in the text, until other findings come. */
  mark(findings) {
    this.#findings = findings;
    this.#view?.mark(findings);
  }

  async format() {
    const text = this.#text;
    const edits = await this.engine.ask("format", { text });
    if (text === this.#text && edits.length > 0) this.apply(edits);
  }

  /** What would mend a finding; none if the text has changed meanwhile. */
  async fixes(finding, text) {
    const proposals = await this.engine.ask("fixes", { text, offset: finding.from, code: finding.code });
    return text === this.#text ? proposals : [];
  }

  #changed(text, pause) {
    this.#text = text;
    this.onChange();
    clearTimeout(this.#checking);
    this.#checking = setTimeout(() => this.#check(), pause);
  }

  async #check() {
    const text = this.#text;
    const result = await this.engine.ask("findings", { text }).catch(() => null);
    if (result === null || text !== this.#text) return;
    this.mark(result.findings);
    this.onFindings(result, text);
  }
}
