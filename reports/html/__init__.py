"""The HTML report."""

from __future__ import annotations

from reports.html.site import write_html

__all__ = ["write_html"]
