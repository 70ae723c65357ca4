"""The public archive's data and pages."""

from nomicwolf.reports.archive.pages import Page, pages
from nomicwolf.reports.archive.published import About, Heard, Nomic, Posted, Published, Sent, Wrote, publish

__all__ = ["About", "Heard", "Nomic", "Page", "Posted", "Published", "Sent", "Wrote", "pages", "publish"]
