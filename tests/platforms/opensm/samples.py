"""What the tests of the OpenSM platform share."""

from __future__ import annotations

from collections.abc import Mapping

from fabricgen.catalog import Catalog
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.device import SubnetManager
from fabricgen.platforms.base import ReadResult
from fabricgen.platforms.opensm import PLATFORM

#: Reading a Subnet Manager's files needs no facts of the hardware.
NO_CATALOG = Catalog({}, {}, {}, {}, {}, {})


def read(files: Mapping[str, str], prefix: str = "sm/") -> ReadResult:
    """Read a Subnet Manager's files."""
    return PLATFORM.read(files, prefix, NO_CATALOG)


def manager(files: Mapping[str, str]) -> SubnetManager:
    """Return the Subnet Manager that files describe."""
    model = read(files).model
    assert model is not None
    assert model.subnet_manager is not None
    return model.subnet_manager


def findings(files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the code and place of each finding, in the order of the files."""
    found = sorted(read(files).diagnostics, key=Diagnostic.sort_key)
    return [(finding.code, str(finding.span)) for finding in found]


#: Options that name every file of a Subnet Manager that an option can name.
ALL_FILES = """\
cn_guid_file /etc/opensm/cn_guids.conf
io_guid_file /etc/opensm/io_guids.conf
node_name_map_name /etc/opensm/node-name-map
partition_config_file /etc/opensm/partitions.conf
qos_policy_file /etc/opensm/qos-policy.conf
root_guid_file /etc/opensm/root_guids.conf
"""

_OPTION_OF = {line.rpartition("/")[2]: line for line in ALL_FILES.splitlines()}


def alone(name: str, text: str) -> dict[str, str]:
    """Return a set of files in which one is read: itself, and an opensm.conf that names it."""
    return {"opensm.conf": f"{_OPTION_OF.get(name, '')}\n", name: text}
