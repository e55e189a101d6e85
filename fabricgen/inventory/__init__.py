"""What a user writes, and the loader that knows the file, line and column of every value."""

from fabricgen.inventory.loader import LoadedInventory, load_inventory
from fabricgen.inventory.models import (
    FabricIntent,
    InfinibandFabric,
    Inventory,
    QosIntent,
    RoceFabric,
    ServerGroup,
)

__all__ = [
    "FabricIntent",
    "InfinibandFabric",
    "Inventory",
    "LoadedInventory",
    "QosIntent",
    "RoceFabric",
    "ServerGroup",
    "load_inventory",
]
