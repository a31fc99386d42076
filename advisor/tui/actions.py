"""Everything a person can do, in one table: keys, palette, footer and the list of keys read it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding

from advisor.tui.widgets.key_line import Key

QUIT_KEY = "ctrl+q"
"""Ends the interview on every screen and in every dialog."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do.

    Attributes:
        id: of the application's method ``action_<id>``.
        keys: keys that do it, comma-separated as Textual writes them.
        shown: the key as people read it.
        title: for palette, footer and the list of keys; short, imperative.
        help: one sentence.
        footer: the word in the footer, or "" for none.
    """

    id: str
    keys: str
    shown: str
    title: str
    help: str
    footer: str = ""

    def binding(self) -> Binding:
        """The binding of the application; our own footer shows it."""
        # No priority: a key must not overtake text that the field has not handled yet.
        return Binding(self.keys, self.id, self.title, show=False, id=self.id)


ACTIONS: tuple[Action, ...] = (
    Action("accept", "", "⏎", "Accept the answer", "Save it and go on.", "Next"),
    Action("previous", "", "pgup", "Back", "The one before; nothing is checked.", "Back"),
    Action("following", "", "pgdn", "Forward", "The next one; nothing is checked."),
    Action("results", "f2", "F2", "Results", "What to change, and what it brings.", "Results"),
    Action("what_if", "", "w", "What if", "Move a fact and see; w in the results."),
    Action("sessions", "f3", "F3", "Sessions", "Open another one or begin anew.", "Sessions"),
    Action("export", "f4", "F4", "Export the ticket", "A Markdown file, and a copy.", "Export"),
    Action("keys", "f1", "F1", "Keys and help", "All keys, and help on this question.", "Keys"),
    Action("palette", "f9", "^p", "Commands", "All of these, by typing.", "Commands"),
    Action("undo", "f7", "F7", "Undo", "Take the last answer back.", "Undo"),
    Action("redo", "f8,shift+f7,f19", "F8", "Redo", "Give it again.", ""),
    Action("dont_know", "", "?", "I don't know", "Recorded; the default is used.", ""),
    Action("rename", "", "", "Name this session", "The name of the job in lists and tickets.", ""),
    Action("quit", QUIT_KEY, QUIT_KEY, "Quit", "Everything accepted is saved already.", ""),
)
"""In the order of the footer and of the list of keys."""


def action(name: str) -> Action:
    """One of them by its id."""
    return next(one for one in ACTIONS if one.id == name)


def bindings() -> list[Binding]:
    """Bindings of the application, for the actions that have keys of their own."""
    return [one.binding() for one in ACTIONS if one.keys]


def footer() -> list[Key]:
    """What the last line of the interview shows."""
    return [Key(one.shown, one.footer, f"app.{one.id}") for one in ACTIONS if one.footer]
