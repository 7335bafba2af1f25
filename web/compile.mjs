// Makes two archives of what the Python of Pyodide runs, compiled by that very Python, so that a page
// starts in a third of the time: the wheels of a folder, with the tables of the parser and the modules of
// some shipped games (MODULES, from build.py), and Python's own library, which Pyodide brings as sources.
// Usage: node compile.mjs WHEELS LIBRARY.zip STANDARD_LIBRARY.zip MODULES
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

const [wheels, target, standardTarget, modules] = process.argv.slice(2);
const UNUSED = // parts of Python's library: programs, tests, servers and formats of files that nothing in the page imports
  `_pyrepl cProfile cmd configparser doctest ensurepip fileinput filecmp imaplib mailbox modulefinder optparse pdb pickletools poplib profile pstats pty
  pyclbr pydoc sched shelve smtplib socketserver sqlite3 symtable tabnanny timeit trace unittest wave wsgiref xml xmlrpc zipapp zoneinfo`;
const ENCODINGS = "__init__ aliases ascii charmap cp437 idna latin_1 punycode raw_unicode_escape unicode_escape utf_16 utf_16_be utf_16_le utf_8 utf_8_sig";
const site = "/lib/playground";
const python = await loadPyodide({ env: { HOME: "/home/pyodide", XDG_CACHE_HOME: `${site}/cache` } });
for (const name of readdirSync(wheels).sort()) {
  python.unpackArchive(new Uint8Array(readFileSync(join(wheels, name))), "wheel", { extractDir: site });
}
python.globals.set("site", site);
python.globals.set("modules", readdirSync(modules).sort().map((name) => readFileSync(join(modules, name), "utf8")).join("\n"));
python.globals.set("unused", UNUSED);
python.globals.set("encodings", ENCODINGS);
python.runPython(`
import compileall, json, shutil, sys, zipfile
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode

def compile_folder(folder, optimize=-1):
    compileall.compile_dir(
        folder, quiet=1, legacy=True, optimize=optimize, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
    )
    for source in folder.rglob("*.py"):
        if kernels not in source.parents and not source.stem.endswith("_kernel"):
            source.unlink()
        else:  # kernels are put together from their texts; their bytecode lies where Python looks for it
            compiled = Path(cache_from_source(source))
            compiled.parent.mkdir(exist_ok=True)
            source.with_suffix(".pyc").rename(compiled)

root = Path(site)
kernels = root / "gamedsl" / "solvers" / "kernels"
for name in ("cli", "server"):
    shutil.rmtree(root / "gamedsl" / name, ignore_errors=True)
compile_folder(root, optimize=2)  # without docstrings
for folder in root.glob("*.dist-info"):
    shutil.rmtree(folder)

sys.path.insert(0, site)
from gamedsl.syntax.grammar import parser
parser()
from gamedsl.compiler.cache import cache_folder
from gamedsl.compiler.kept import place_of
from gamedsl.compiler.python_code import run_source
from gamedsl.source.keeping import keep
for line in modules.splitlines():
    module = json.loads(line)
    keep(place_of(cache_folder(), module["origin"]), module["content"].encode())
    run_source(json.loads(module["content"])["source"])  # its bytecode is kept beside it
shutil.make_archive("/tmp/library", "zip", root)

standard = Path("/tmp/standard")
zipfile.ZipFile(next(path for path in sys.path if path.endswith(".zip"))).extractall(standard)
for name in unused.split():
    shutil.rmtree(standard / name, ignore_errors=True)
    (standard / f"{name}.py").unlink(missing_ok=True)
for path in (standard / "encodings").glob("*.py"):
    if path.stem not in encodings.split():
        path.unlink()
for part in ("_pyodide", "pyodide"):  # their docstrings are read when they start
    compile_folder(standard / part)
compile_folder(standard, optimize=2)
shutil.make_archive("/tmp/standard", "zip", standard)
`);
writeFileSync(target, python.FS.readFile("/tmp/library.zip"));
writeFileSync(standardTarget, python.FS.readFile("/tmp/standard.zip"));
