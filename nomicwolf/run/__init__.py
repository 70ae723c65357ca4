"""One cron run: fetch, hear, tick, send.

Nothing heavy is imported before there is work: most polls find none.
"""

from nomicwolf.run.commands import command
from nomicwolf.run.polling import poll
from nomicwolf.run.run_report import Done, PollReport

__all__ = ["Done", "PollReport", "command", "poll"]
