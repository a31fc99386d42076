"""How long a report is, and how long the places it goes to let it be; imports nothing heavy."""

from __future__ import annotations

from typing import Literal

Length = Literal["full", "summary"]
"""full: the ticket with its appendix; summary: what fits a chat message or a comment."""

GITHUB_LIMIT = 65_536
"""Characters in the body of a GitHub issue or comment."""

JIRA_LIMIT = 32_767
"""Characters in a description or comment of Jira unless its administrator set another limit.

For the document format it is held against the JSON: which of text and JSON Jira counts is not
documented, and a ticket that is refused is worse than one without its appendix.
"""

SLACK_LIMIT = 40_000
"""Characters after which Slack cuts a message off (chat.postMessage, "Truncating content")."""
