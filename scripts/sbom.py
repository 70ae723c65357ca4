"""Say what is shipped: ``python scripts/sbom.py DIR`` writes a CycloneDX SBOM and the licences of all parts to DIR.

What is shipped is nomicwolf and what requirements.lock holds for this platform, as it is installed here. A part that
is missing or has another version than the lock's, or a licence that nobody has looked at yet, is an error.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
OWN = "nomicwolf"
KNOWN = frozenset((
    "0BSD", "Apache-2.0", "Apache-2.0 OR BSD-2-Clause", "Apache-2.0 OR BSD-3-Clause", "BSD-2-Clause", "BSD-3-Clause",
    "ISC", "LGPL-2.1-or-later", "MIT", "MIT AND PSF-2.0", "MIT-0", "PSF-2.0", "Python-2.0", "Zlib",
))
"""Licences under which a part may be shipped beside ours (MIT)."""
SAID = {
    "authres": "Apache-2.0", "imapclient": "BSD-3-Clause", "dkimpy": "Zlib", "jinja2": "BSD-3-Clause",
    "aiosmtpd": "Apache-2.0", "atpublic": "Apache-2.0", "sortedcontainers": "Apache-2.0",
}
"""Licences of parts whose metadata name none by its SPDX identifier: read in the part's own licence file."""


def locked(text: str) -> dict[str, str]:
    """Return name and version of everything in a lock that this platform needs."""
    found: dict[str, str] = {}
    for line in re.findall(r"(?m)^([A-Za-z0-9][^\n\\]*?)\s*\\?$", text):
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate():
            found[normal(wanted.name)] = str(wanted.specifier).removeprefix("==")
    return found


def normal(name: str) -> str:
    """Return a package's name as indexes write it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence(part: dict[str, Any]) -> str:
    """Return the licence of a component of the SBOM as an SPDX expression, '' if it names none."""
    for entry in part.get("licenses", ()):
        found = entry.get("expression") or entry.get("license", {}).get("id")
        if found:
            return str(found)
    return SAID.get(normal(part["name"]), "")


def sbom(lock: str) -> tuple[dict[str, Any], list[str]]:
    """Return the SBOM of what *lock* holds, and what is wrong with it."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--no-validate", "--output-reproducible",
               "--pyproject", str(ROOT / "pyproject.toml"), sys.executable]
    whole: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True, cwd=ROOT).stdout)
    wanted, wrong, parts = locked(lock), [], []
    installed = {normal(part["name"]): part for part in whole["components"]}
    for name, version in sorted(wanted.items()):
        part = installed.get(name)
        if part is None or part["version"] != version:
            wrong.append(f"{name} {version} is locked, and {part['version'] if part else 'nothing'} is installed")
            continue
        said = licence(part)
        if said not in KNOWN:
            wrong.append(f"{name} {version}: nobody has looked at its licence yet: {said or 'none is named'}")
        part["licenses"] = [{"expression": said}]
        parts.append(part)
    refs = {part["bom-ref"] for part in parts} | {whole["metadata"]["component"]["bom-ref"]}
    whole["components"] = parts
    whole["dependencies"] = [
        {**entry, "dependsOn": [ref for ref in entry.get("dependsOn", ()) if ref in refs]}
        for entry in whole["dependencies"] if entry["ref"] in refs]
    whole["metadata"]["component"]["version"] = distribution(OWN).version
    return whole, wrong


def licences(whole: dict[str, Any]) -> str:
    """Return the licences of all parts: a table, then the text of each as its package brings it."""
    rows = [(part["name"], part["version"], part["licenses"][0]["expression"]) for part in whole["components"]]
    wide = [max(len(row[i]) for row in rows) for i in (0, 1)]
    lines = ["nomicwolf is under the MIT licence (LICENSE). It needs these packages, which come with their own:", ""]
    lines += [f"{name.ljust(wide[0])}  {version.ljust(wide[1])}  {said}" for name, version, said in rows]
    for name, version, _ in rows:
        for text in texts(distribution(name)):
            lines += ["", "=" * 72, f"{name} {version}", "=" * 72, "", text.strip()]
    return "\n".join(lines) + "\n"


def texts(part: Distribution) -> list[str]:
    """Return the licence texts that a package brings."""
    named = re.compile(r"(?i)\.dist-info/(?:licenses/.*|(?:licen[sc]e|copying|notice)[^/]*)$")
    files = [file for file in part.files or () if named.search(str(file))]
    return [Path(str(file.locate())).read_text(encoding="utf-8", errors="replace") for file in files]


def main(folder: Path) -> int:
    """Write both files; return 1 if something is wrong."""
    whole, wrong = sbom((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    for line in wrong:
        print(line, file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{OWN}-{whole['metadata']['component']['version']}"
    (folder / f"{stem}.cdx.json").write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    (folder / f"{stem}-licences.txt").write_text(licences(whole), encoding="utf-8")
    print(f"{folder / stem}.cdx.json and {stem}-licences.txt: {len(whole['components'])} parts.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
