// Links that hold the rules: `#rules=` and the text, deflated and written in base64url, or
// `&moves=` those made, or `#example=` and the name of a shipped game. What stands behind `#` is never sent to a server.

const LONGEST = 1_000_000; // bytes of rules in a link: a short one can hold any number of blanks

async function through(bytes, transform) {
  const parts = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    length += value.length;
    if (length > LONGEST) throw new RangeError("too long for a link");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function encode(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function decode(code) {
  const letters = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(
    await through(bytes, new DecompressionStream("deflate-raw")),
  );
}

/** A link to rules and to the moves made; without moves the link says nothing of them. */
export async function linkOf(text, moves = []) {
  const address = new URL(location.href);
  const played = moves.length ? `&moves=${encodeURIComponent(JSON.stringify(moves))}` : "";
  address.hash = `rules=${await encode(text)}${played}`;
  return address.href;
}

/** Code for a page of one's own: a frame with the board alone. */
export function frameOf(link, title) {
  const address = new URL(link);
  address.searchParams.set("board", "alone");
  const quoted = (words) => words.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${quoted(address.href)}" title="${quoted(title)}" width="420" height="520" style="border:0" loading="lazy"></iframe>`;
}

/** What the address asks for: `{ text, moves }`, `{ example }`, `{ broken: true }` or `{}`. */
export async function asked(hash = location.hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  if (fields.has("example")) return { example: fields.get("example") };
  if (!fields.has("rules")) return {};
  try {
    const moves = JSON.parse(fields.get("moves") ?? "[]");
    if (!Array.isArray(moves) || moves.some((name) => typeof name !== "string")) return { broken: true };
    return { text: await decode(fields.get("rules")), moves };
  } catch {
    return { broken: true };
  }
}
