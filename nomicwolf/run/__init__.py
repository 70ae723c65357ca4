"""One cron run: fetch, hear, tick, send. The only place that knows both the rules and the world.

Nothing heavy is imported before there is work: most polls find none.
"""

from nomicwolf.run.ordering import command
from nomicwolf.run.polling import poll
from nomicwolf.run.reports import Done, PollReport

__all__ = ["Done", "PollReport", "command", "poll"]
