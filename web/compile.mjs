// Makes library.zip: the wheels of a folder as the Python of Pyodide runs them, compiled by that very
// Python, with the tables of the parser, so that a page starts in a third of the time.
// Usage: node compile.mjs WHEELS LIBRARY.zip
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [wheels, target] = process.argv.slice(2);
const site = "/lib/playground";
const python = await loadPyodide({ env: { HOME: "/home/pyodide", XDG_CACHE_HOME: `${site}/cache` } });
for (const name of readdirSync(wheels).sort()) {
  python.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "wheel", { extractDir: site });
}
python.globals.set("site", site);
python.runPython(`
import compileall, shutil, sys
from pathlib import Path
from py_compile import PycInvalidationMode

root = Path(site)
for unused in ("gamedsl/cli", "gamedsl/server"):
    shutil.rmtree(root / unused, ignore_errors=True)
compileall.compile_dir(root, quiet=1, legacy=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
for source in root.rglob("*.py"):
    source.unlink()
for folder in [*root.rglob("__pycache__"), *root.glob("*.dist-info")]:
    shutil.rmtree(folder)

sys.path.insert(0, site)
from gamedsl.syntax.grammar import parser
parser()
shutil.make_archive("/tmp/library", "zip", root)
`);
writeFileSync(target, python.FS.readFile("/tmp/library.zip"));
