"""The public archive of a contest: what is published, and the pages made of it. Pure."""

from nomicwolf.reports.archive.pages import Page, pages
from nomicwolf.reports.archive.published import About, Heard, Nomic, Posted, Published, Sent, Wrote, publish

__all__ = ["About", "Heard", "Nomic", "Page", "Posted", "Published", "Sent", "Wrote", "pages", "publish"]
