"""Make every generated page and picture of the documents again, by one command.

    python docs/make.py [STEP ...]

Without names, all steps run in order: `outputs`, the outputs and pictures in the textbook, the
messages of bad examples, and the compiler tour; `gallery`; `notebooks`; `page`, the playground
(needs npm); `site` (needs mkdocs). A step changes nothing if nothing has changed, but for
estimates made within a time (notebook 5). `git diff` then shows the differences, to be read. Tables
of measurements have commands of their own (docs/CONTRIBUTING.md), since measurements take hours and
a quiet machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SNAPSHOTS = (
    "tests/doors/test_textbook.py",
    "tests/golden/messages",
    "tests/meta/test_compiler_tour.py",
)
STEPS = {
    "outputs": ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--snapshot-update", *SNAPSHOTS),
    "gallery": ("docs/gallery/make.py",),
    "notebooks": ("docs/notebooks/run.py",),
    "page": ("web/build.py",),
    "site": ("-m", "mkdocs", "build", "--quiet"),
}


def main(names: list[str]) -> int:
    """Run the steps; the number of failed steps."""
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        print(f"there is no step {', '.join(unknown)}; the steps are {', '.join(STEPS)}")
        return 2
    failed = []
    for name in names or STEPS:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, *STEPS[name]], cwd=ROOT, check=False).returncode:
            failed.append(name)
    print(
        f"failed: {', '.join(failed)}" if failed else "all made; `git diff docs` shows what changed"
    )
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
