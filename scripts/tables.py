"""Write the grammar's parse tables (``grammar/tables.json``) and its phrases (``grammar/phrases.json``) anew.

Run it after a change of ``grammar/*.lark``.
"""

from __future__ import annotations

from nomicwolf.data import folder
from nomicwolf.reading.language import tables
from nomicwolf.reading.phrases import kept_phrases

if __name__ == "__main__":
    (folder("grammar") / "tables.json").write_text(tables(), encoding="ascii")
    (folder("grammar") / "phrases.json").write_text(kept_phrases(), encoding="ascii")
