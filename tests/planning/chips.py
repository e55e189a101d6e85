"""Chips and switches that the tests of QoS planning build themselves, so that they do not change with the catalog."""

from __future__ import annotations

from fabricgen.catalog import Asic, CellHeadroom, SonicSupport, SpectrumHeadroom
from fabricgen.core.diagnostics import Span
from fabricgen.core.provenance import Origin

SPECTRUM_FACTS = SpectrumHeadroom(
    method="spectrum",
    pipeline_latency_bytes=19456,
    mac_phy_delay_bytes=819,
    tile_bytes_per_gbps=15,
    small_packet_percent=100,
    lossless_mtu_bytes=1024,
    peer_response_bytes=3891,
)

SPECTRUM_4 = Asic(
    id="spectrum-4",
    vendor="NVIDIA",
    model="Spectrum-4",
    source=("sonic",),
    capacity_gbps=51200,
    buffer_bytes=158229504,
    cell_bytes=192,
    headroom=SPECTRUM_FACTS,
    management_bytes=262144,
    port_overhead_bytes=10240,
)

#: The wire bytes without a cable are those that reproduce Dell-Z9864f-O64 (see tests/oracle).
CELL_FACTS = CellHeadroom(
    method="cells",
    fixed_wire_bytes={100: 47956, 200: 74584, 400: 127504, 800: 236200},
    wire_bytes_per_cell=84,
    xon_offset_bytes=3556,
    reserved_bytes=18796,
)

TOMAHAWK_5 = Asic(
    id="tomahawk-5",
    vendor="Broadcom",
    model="Tomahawk 5",
    source=("sonic",),
    capacity_gbps=51200,
    buffer_bytes=162539680,
    cell_bytes=254,
    headroom=CELL_FACTS,
)

UNKNOWN_CHIP = Asic(
    id="mystery",
    vendor="Example",
    model="Mystery",
    source=("sonic",),
    capacity_gbps=51200,
    buffer_bytes="unknown",
    cell_bytes="unknown",
)

DYNAMIC = SonicSupport.model_validate(
    {
        "platform": "x86_64-nvidia_sn5600-r0",
        "hwsku": "ACS-SN5600",
        "buffer_model": "dynamic",
        "ports": ["Ethernet0 0-7"],
        "alias": "etp{cage}{leg}",
        "breakout_modes": {},
    }
)

TRADITIONAL = SonicSupport.model_validate(
    {
        "platform": "x86_64-dell_z9864f-r0",
        "hwsku": "Dell-Z9864f-O64",
        "buffer_model": "traditional",
        "cable_lengths_m": {400: [5, 40, 300], 800: [5, 40, 300]},
        "ports": ["Ethernet0 1-8"],
        "alias": "etp{cage}{leg}",
        "breakout_modes": {},
    }
)

SERVER_CABLES = Origin("fabrics.compute.cables.server", Span("fabric.yaml", 12, 15))
SPINE_CABLES = Origin("fabrics.compute.cables.spine", Span("fabric.yaml", 13, 15))
