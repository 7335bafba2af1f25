"""The version of the package, for all who write it down."""

__version__ = "0.2.0"
