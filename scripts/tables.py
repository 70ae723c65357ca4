"""Write the grammar's parse tables (``grammar/tables.json``) anew; run it after a change of ``grammar/*.lark``."""

from __future__ import annotations

from nomicwolf.data import folder
from nomicwolf.reading.language import tables

if __name__ == "__main__":
    (folder("grammar") / "tables.json").write_text(tables(), encoding="ascii")
