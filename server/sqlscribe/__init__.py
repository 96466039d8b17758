"""SQLScribe: a question in a SQL comment becomes checked SQL."""

__version__ = "0.1.0"
