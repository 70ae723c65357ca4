"""Write the grammar's parse tables (``grammar/tables.json``) and its phrases (``grammar/phrases.json``) anew.

Run it after a change of ``grammar/*.lark``. Lark numbers its states differently each time, so tables that are of this
grammar already stay as they are.
"""

from __future__ import annotations

import json

from nomicwolf.data import folder
from nomicwolf.reading.language import tables
from nomicwolf.reading.phrases import kept_phrases

if __name__ == "__main__":
    kept, made = folder("grammar") / "tables.json", tables()
    if not kept.exists() or json.loads(kept.read_text(encoding="ascii"))["key"] != json.loads(made)["key"]:
        kept.write_text(made, encoding="ascii")
    (folder("grammar") / "phrases.json").write_text(kept_phrases(), encoding="ascii")
