// Python in a worker: it is started once, and then answers one request after the other.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const began = performance.now();
const site = "/lib/playground";

async function start() {
  const library = fetch("library.zip").then((response) => {
    if (!response.ok) throw new Error(`library.zip: ${response.status}`);
    return response.arrayBuffer();
  });
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", self.location.href).href,
    env: { HOME: "/home/pyodide", XDG_CACHE_HOME: `${site}/cache` },
  });
  python.unpackArchive(await library, "zip", { extractDir: site });
  python.runPython(`import sys; sys.path.insert(0, ${JSON.stringify(site)})`);
  const { answer } = python.pyimport("gamedsl.playground.dispatch");
  self.postMessage({ started: performance.now() - began });
  return answer;
}

const starting = start().catch((error) => {
  self.postMessage({ failed: String(error.message ?? error) });
  return null;
});

self.onmessage = async ({ data: { id, request } }) => {
  const answer = await starting;
  if (answer === null) return;
  try {
    self.postMessage({ id, answer: answer(request, (told) => self.postMessage({ id, told })) });
  } catch (error) {
    const lines = String(error.message ?? error).trim().split("\n");
    self.postMessage({ id, crashed: lines[lines.length - 1] });
  }
};
