"""The inventory that ``fabricgen init`` writes."""

from __future__ import annotations

from fabricgen.catalog import Server
from fabricgen.core.resources import resource_directory


def sample_inventory(*, fabric_type: str, servers: int, server: Server, switch: str, adapter: str) -> str:
    """Return a commented, working inventory.

    Args:
        fabric_type: ``rocev2`` or ``infiniband``.
        servers: how many there are.
        server: their model; adapters are chosen where it has none for compute.
        switch: catalog id of leaf and spine.
        adapter: catalog id of the adapters to choose.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource_directory("templates")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template("init/fabric.yaml.j2").render(
        roce=fabric_type == "rocev2",
        fabric_type=fabric_type,
        servers=servers,
        server=server.id,
        adapters=None if "compute" in server.adapters else {"adapter": adapter, "count": max(server.gpus, 1)},
        switch=switch,
    )
