"""Builds a fabric from an inventory: sizing, names, port allocation and cabling."""

from fabricgen.topology.build import build_fabrics
from fabricgen.topology.fabric import Assembly, Cable, Device, Fabric, Port, RackPlace, Sizing

__all__ = ["Assembly", "Cable", "Device", "Fabric", "Port", "RackPlace", "Sizing", "build_fabrics"]
