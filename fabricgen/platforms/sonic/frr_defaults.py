"""What FRR does where its configuration is silent."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: ``frr version`` of what we write: defaults are those of this version on every later one. It is the FRR of SONiC
#: 202305, the oldest release that is served (sonic-buildimage 202305, rules/frr.mk: 8.5.1).
VERSION = "8.5"

#: Profile where no ``frr defaults`` line names one (FRR doc/user/basic.rst).
PROFILE = "traditional"

#: Whether eBGP exchanges nothing without policies, by profile (FRR bgpd/bgp_vty.c, since 7.4).
REQUIRES_POLICY: Mapping[str, bool] = MappingProxyType({"traditional": True, "datacenter": False})

#: Step of the sequence numbers that FRR gives to prefix-list rules without one (FRR lib/plist.c).
SEQUENCE_STEP = 5
