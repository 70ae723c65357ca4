"""One cron run: fetch, hear, tick, send.

Nothing heavy is imported before there is work: most polls find none.
"""

from nomicwolf.run.polling import command, poll
from nomicwolf.run.resources import Done, PollReport

__all__ = ["Done", "PollReport", "command", "poll"]
