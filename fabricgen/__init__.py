"""A compiler for AI-cluster networks: one inventory in, validated RoCE v2 and InfiniBand configuration out."""

__version__ = "0.1.0"
