"""The way to servers that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.settings import Settings
from nomicwolf.settings.keys import NetworkSettings

if TYPE_CHECKING:
    from nomicwolf.post.routes import Route


def route_of(settings: Settings) -> Route:
    """Return how servers are reached."""
    return route_by(settings.network)


def route_by(network: NetworkSettings) -> Route:
    """Return the same for a table ``network``."""
    from nomicwolf.post.routes import Proxy, Route

    return Route(Proxy.of(network.proxy) if network.proxy else None,
                 frozenset(host.lower().strip("[]").rstrip(".") for host in network.direct))
