"""The device library: switches, ASICs, adapters, servers and cables, every figure with its unit and source."""

from fabricgen.catalog.cables import CableEnd, form_factor
from fabricgen.catalog.checks import check_catalog
from fabricgen.catalog.entries import Entries
from fabricgen.catalog.figures import UNKNOWN
from fabricgen.catalog.loader import CatalogError, load_catalog
from fabricgen.catalog.models import (
    Adapter,
    AdapterPort,
    AdapterSet,
    Affinity,
    Asic,
    Breakout,
    Cable,
    CageGroup,
    Catalog,
    CellHeadroom,
    Server,
    Source,
    SpectrumHeadroom,
    Switch,
)
from fabricgen.catalog.sonic import SonicCage, SonicSupport, breakout_name

__all__ = [
    "UNKNOWN",
    "Adapter",
    "AdapterPort",
    "AdapterSet",
    "Affinity",
    "Asic",
    "Breakout",
    "Cable",
    "CableEnd",
    "CageGroup",
    "Catalog",
    "CatalogError",
    "CellHeadroom",
    "Entries",
    "Server",
    "SonicCage",
    "SonicSupport",
    "Source",
    "SpectrumHeadroom",
    "Switch",
    "breakout_name",
    "check_catalog",
    "form_factor",
    "load_catalog",
]
