// A worker that runs Python: questions in, promises of answers out. It can be stopped at any time:
// the worker is ended and a new one started, and what was asked is refused with `Stopped`.

export class Stopped extends Error {}
export class Refused extends Error {}

export class Engine {
  #worker = null;
  #waiting = new Map();
  #number = 0;
  #memory;
  #made = null;

  /** `memory`, if there is one, answers what it knows. */
  constructor(memory = null) {
    this.#memory = memory;
  }

  /** Called whenever `busy` or `state` changes. */
  onChange = () => {};
  /** "idle", "starting", "ready" or "failed". */
  state = "idle";
  ready = new Promise((resolve) => (this.resolveReady = resolve));

  get busy() {
    return this.#waiting.size > 0;
  }

  /** Start the worker; a question whose answer is not known does so too. */
  start() {
    if (this.state !== "idle") return;
    this.state = "starting";
    this.#worker = new Worker("worker.js", { type: "module" });
    this.#worker.onmessage = (event) => this.#hear(event.data);
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker cannot be started");
    this.#hand();
    this.onChange(this);
  }

  /** Hand the module that was generated for a game (`origin`, `content`) to this worker and to workers in its place. */
  hand(made) {
    this.#made = made;
    this.#hand();
  }

  #hand() {
    if (this.#made && this.#worker) this.#worker.postMessage({ id: 0, request: JSON.stringify({ ask: "remember", ...this.#made }) });
  }

  /** The answer to a question of `gamedsl.playground.dispatch`; `onTold` hears how far it has got. */
  ask(question, fields = {}, onTold = () => {}) {
    const request = JSON.stringify({ ask: question, ...fields });
    const known = this.#memory?.answer(request);
    if (known !== undefined) return Promise.resolve(known);
    this.start();
    if (this.state === "failed") return Promise.reject(new Refused(this.message));
    const id = ++this.#number;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { request, resolve, reject, onTold }));
    this.#worker.postMessage({ id, request });
    this.onChange(this);
    return answer;
  }

  /** End whatever is being worked out. */
  stop() {
    if (this.busy) this.#begin(new Stopped("stopped"));
  }

  /** A new worker in place of this one; whoever waits for an answer is told why there is none. */
  #begin(reason) {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.reject(reason);
    this.state = "idle";
    this.start();
  }

  #hear({ id, answer, told, started, crashed, failed }) {
    if (failed !== undefined) return this.#fail(failed);
    if (started !== undefined) {
      this.state = "ready";
      this.resolveReady();
      return this.onChange(this);
    }
    const one = this.#waiting.get(id);
    if (one === undefined) return undefined;
    if (told !== undefined) return one.onTold(told);
    this.#waiting.delete(id);
    if (crashed !== undefined) {
      console.error(crashed);
      one.reject(new Refused(`this program has failed here, which is a mistake of its own: ${crashed}`));
      return this.#begin(new Stopped("stopped"));
    }
    const found = JSON.parse(answer);
    if (found.error) one.reject(new Refused(found.error.message));
    else {
      this.#memory?.keep(one.request, found.answer);
      one.resolve(found.answer);
    }
    return this.onChange(this);
  }

  #fail(message) {
    console.error(message);
    this.state = "failed";
    this.message = message;
    for (const one of this.#waiting.values()) one.reject(new Refused(message));
    this.#waiting.clear();
    this.onChange(this);
  }
}
