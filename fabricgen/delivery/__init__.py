"""The output tree: written whole or not at all, with a manifest of what is in it."""

from fabricgen.delivery import configuration
from fabricgen.delivery.earlier import is_output, read_documents, unusable
from fabricgen.delivery.output import MemoryOutput, Output, StagedOutput, digest
from fabricgen.delivery.tree import (
    Difference,
    compare_tree,
    make_manifest,
    read_tree,
    scratch,
    staged,
    write_tree,
)

__all__ = [
    "Difference",
    "MemoryOutput",
    "Output",
    "StagedOutput",
    "compare_tree",
    "configuration",
    "digest",
    "is_output",
    "make_manifest",
    "read_documents",
    "read_tree",
    "scratch",
    "staged",
    "unusable",
    "write_tree",
]
