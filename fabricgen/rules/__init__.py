"""The rules, by subject, and the engine that runs them.

A rule is a function with :func:`rule` above it, in a module by subject; :func:`rules` collects them. Rules see device
models that were read from files and the links between them, and never what made either.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache

from fabricgen.core.plugins import collect
from fabricgen.rules.base import Context, Need, Rule, rule

__all__ = ["Context", "Need", "Rule", "rule", "rules"]


@cache
def rules() -> Mapping[str, Rule]:
    """Return every rule by code."""
    return collect(sys.modules[__name__], Rule, lambda found: found.kind.code)
