"""The way to servers that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.settings import Settings

if TYPE_CHECKING:
    from nomicwolf.post.reach import Route


def route_of(settings: Settings) -> Route:
    """Return how servers are reached."""
    from nomicwolf.post.proxy import Proxy
    from nomicwolf.post.reach import Route

    network = settings.network
    return Route(Proxy.of(network.proxy) if network.proxy else None,
                 frozenset(host.lower().strip("[]").rstrip(".") for host in network.direct))
