// Makes two archives of what the Python of Pyodide runs, compiled by that very Python, so that a page
// starts in a third of the time: the wheels of a folder, with the tables of the parser and the modules of
// some shipped games, and Python's own library, which Pyodide brings as sources.
// Usage: node compile.mjs WHEELS LIBRARY.zip STANDARD_LIBRARY.zip GAME ...
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [wheels, target, standardTarget, ...games] = process.argv.slice(2);
const site = "/lib/playground";
const python = await loadPyodide({ env: { HOME: "/home/pyodide", XDG_CACHE_HOME: `${site}/cache` } });
for (const name of readdirSync(wheels).sort()) {
  python.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "wheel", { extractDir: site });
}
python.globals.set("site", site);
python.globals.set("games", games.join(" "));
python.runPython(`
import compileall, shutil, sys, zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

def compile_folder(folder, optimize=-1):
    compileall.compile_dir(
        folder, quiet=1, legacy=True, optimize=optimize, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
    )
    for source in folder.rglob("*.py"):
        source.unlink()

root = Path(site)
for unused in ("gamedsl/cli", "gamedsl/server"):
    shutil.rmtree(root / unused, ignore_errors=True)
compile_folder(root)
for folder in [*root.rglob("__pycache__"), *root.glob("*.dist-info")]:
    shutil.rmtree(folder)

sys.path.insert(0, site)
from gamedsl.syntax.grammar import parser
parser()
from gamedsl.playground import plays, resources
for game in games.split():
    plays.position(resources.example(game), [])  # its module is kept beside the tables
shutil.make_archive("/tmp/library", "zip", root)

standard = Path("/tmp/standard")
zipfile.ZipFile(next(path for path in sys.path if path.endswith(".zip"))).extractall(standard)
for part in ("_pyodide", "pyodide"):  # their docstrings are read when they start
    compile_folder(standard / part)
compile_folder(standard, optimize=2)
shutil.make_archive("/tmp/standard", "zip", standard)
`);
writeFileSync(target, python.FS.readFile("/tmp/library.zip"));
writeFileSync(standardTarget, python.FS.readFile("/tmp/standard.zip"));
