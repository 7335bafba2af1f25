// A board to click on in a notebook: the picture with buttons on its squares, and the moves below.
const STYLE = `
.gamedsl-board { display: inline-block; max-width: 100%; font-family: system-ui, sans-serif; }
.gamedsl-board .stage { position: relative; }
.gamedsl-board svg { display: block; width: 100%; height: auto; }
.gamedsl-board .square { position: absolute; transform: translate(-50%, -50%); padding: 0; border: 0;
  border-radius: 6px; background: transparent; cursor: pointer; }
.gamedsl-board .square::after { content: ""; display: block; width: 26%; height: 26%; margin: auto;
  border-radius: 50%; background: #2563eb88; }
.gamedsl-board .square.taken::after { width: 88%; height: 88%; border-radius: 6px; background: none;
  box-shadow: inset 0 0 0 3px #2563eb88; }
.gamedsl-board .square.picked { box-shadow: inset 0 0 0 3px #c2410c; }
.gamedsl-board .square.picked::after, .gamedsl-board .square.other::after { display: none; }
.gamedsl-board .square:focus-visible, .gamedsl-board .square:hover { background: #2563eb22; }
.gamedsl-board .row { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 6px; align-items: center; }
.gamedsl-board .row button { font: inherit; font-size: 13px; padding: 2px 8px; }
`;
const MOST_SHOWN = 60; // moves as buttons

function element(tag, fields, ...children) {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...children);
  return made;
}

function render({ model, el }) {
  const root = element("div", { className: "gamedsl-board" });
  let picked = [];
  const send = (message) => { picked = []; model.send(message); };

  function draw() {
    const shown = model.get("shown");
    const candidates = shown.actions.filter((one) => picked.every((place, n) => one.squares[n] === place));
    const stage = element("div", { className: "stage" });
    stage.innerHTML = shown.svg;
    const svg = stage.querySelector("svg");
    const view = svg.viewBox.baseVal;
    stage.style.width = `${view.width * 1.3}px`;
    stage.style.maxWidth = "100%";
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    const next = new Map();
    for (const one of candidates) {
      const place = one.squares[picked.length];
      if (place in shown.places) next.set(place, [...(next.get(place) ?? []), one]);
    }
    const here = picked[picked.length - 1];
    if (here !== undefined) next.set(here, []);
    if (picked.length === 1) { // another move may begin elsewhere
      for (const { squares: [place] } of shown.actions) if (place in shown.places && !next.has(place)) next.set(place, null);
    }
    for (const [place, actions] of next) {
      const [x, y] = shown.places[place];
      const size = shown.unit * 0.94;
      const label = actions === null ? `${place}: begin here` : actions.length === 1 ? actions[0].name : actions.length ? `${place}: ${actions.length} moves` : `${place}: put back`;
      const button = element("button", {
        type: "button", title: label, ariaLabel: label,
        className: `square${shown.taken.includes(place) ? " taken" : ""}${place === here ? " picked" : ""}${actions === null ? " other" : ""}`,
        onclick: () => point(place),
      });
      button.dataset.place = place;
      button.style.cssText = `left:${(100 * (x - view.x)) / view.width}%;top:${(100 * (y - view.y)) / view.height}%;` +
        `width:${(100 * size) / view.width}%;height:${(100 * size) / view.height}%`;
      stage.append(button);
    }
    const moves = element("div", { className: "row moves" });
    for (const one of candidates.slice(0, MOST_SHOWN)) {
      moves.append(element("button", { type: "button", title: one.name, textContent: one.short,
        onclick: () => send({ do: "choose", name: one.name }) }));
    }
    const tools = element("div", { className: "row tools" },
      element("span", { textContent: shown.asked ? `${shown.asked} to choose` : "game over" }),
      element("button", { type: "button", textContent: "undo", disabled: !shown.can_undo, onclick: () => send({ do: "undo" }) }),
      element("button", { type: "button", textContent: "restart", disabled: !shown.can_undo, onclick: () => send({ do: "restart" }) }));
    root.replaceChildren(element("style", { textContent: STYLE }), stage, tools, moves);
  }

  /** A square is pointed at: the next of a move, back, or the first of another move. */
  function point(place) {
    const { actions } = model.get("shown");
    const fits = () => actions.filter((one) => picked.every((at, n) => one.squares[n] === at));
    if (picked[picked.length - 1] === place) picked.pop();
    else if (fits().some((one) => one.squares[picked.length] === place)) picked.push(place);
    else picked = [place];
    const left = fits();
    if (left.length === 1 && left[0].squares.length === picked.length) return send({ do: "choose", name: left[0].name });
    return draw();
  }

  const changed = () => { picked = []; draw(); };
  model.on("change:shown", changed);
  el.append(root);
  draw();
  return () => model.off("change:shown", changed);
}

export default { render };
