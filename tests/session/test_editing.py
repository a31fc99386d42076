"""A session while it is edited: saved at each answer, undone, recovered, kept from others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.facts.answers import Answer
from advisor.facts.catalogue import Catalogue
from advisor.facts.toml_text import TomlFault
from advisor.interview.meaning import Meaning
from advisor.session import places
from advisor.session.document import Session, read_session
from advisor.session.drafts import read_drafts, write_drafts
from advisor.session.editing import Editing
from advisor.session.errors import SessionLocked, StoreError
from advisor.session.journal import Journal, journal_path
from advisor.session.store import digest, load, save
from tests.unprivileged import unprivileged

NOW = datetime(2026, 11, 29, 12, 0, 0, 500, tzinfo=UTC)


def clock() -> datetime:
    return NOW


def meaning(*clears: str, **texts: str) -> Meaning:
    return Meaning({name: Answer(text) for name, text in texts.items()}, clears, "")


def opened(path: Path | None, catalogue: Catalogue, **options: object) -> Editing:
    return Editing.open(path, catalogue=catalogue, now=clock, **options)  # type: ignore[arg-type]  # passed through


def texts(session: Session) -> dict[str, str]:
    return {name: answer.value for name, answer in session.answers.items()}


def test_every_answer_is_on_disk_at_once(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue) as editing:
        assert not path.exists()
        editing.accept(meaning(nodes="4"))
        assert texts(read_session(path)) == {"nodes": "4"}
        editing.accept(meaning("nodes", mode="sync"))
        assert texts(read_session(path)) == {"mode": "sync"}
        assert editing.saved_at == NOW
        assert not editing.banner
        assert not journal_path(path).exists()
    saved = read_session(path)
    second = NOW.replace(microsecond=0)
    assert (saved.id, saved.created, saved.updated) == ("a", second, second)


def test_a_new_session_is_named_after_its_title(catalogue: Catalogue) -> None:
    name = "Job A"
    with opened(None, catalogue, title=name) as one, opened(None, catalogue, title=name) as two:
        # Neither has a file yet, still they may not be the same.
        assert one.path.name == "job-a.toml"
        assert two.path.name == "job-a-2.toml"
        assert one.path.parent == places.sessions_folder()
        one.accept(meaning(nodes="4"))
        assert read_session(one.path).title == "Job A"


def test_the_same_answer_again_writes_nothing(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        before = path.stat()
        editing.accept(meaning(nodes="4"))
        assert path.stat().st_ino == before.st_ino
        assert editing.undo() == ("nodes",)
        assert editing.undo() == ()


def test_undo_and_redo_are_saved(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4", mode="sync"))
        editing.accept(meaning(nodes="8"))
        assert editing.can_undo
        assert not editing.can_redo
        assert editing.undo() == ("nodes",)
        assert texts(read_session(path)) == {"nodes": "4", "mode": "sync"}
        assert editing.redo() == ("nodes",)
        assert list(texts(read_session(path)).items()) == [("nodes", "8"), ("mode", "sync")]
        editing.undo()
        editing.accept(meaning(mode="async"))
        assert editing.redo() == ()


def test_a_session_open_elsewhere_is_refused(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue), pytest.raises(SessionLocked):
        opened(path, catalogue)
    opened(path, catalogue).close()


def test_a_faulty_file_is_refused_and_not_locked(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    path.write_text("schema_version = 1\n[session]\nid = 'a'\n[answers.nods]\nvalue = '4'\n")
    for _ in range(2):
        with pytest.raises(TomlFault, match='did you mean "nodes"'):
            opened(path, catalogue)


def test_a_missing_folder_is_said_at_once(tmp_path: Path, catalogue: Catalogue) -> None:
    with pytest.raises(StoreError, match="there is no such folder"):
        opened(tmp_path / "none" / "a.toml", catalogue)


def test_site_answers_fill_in_and_are_saved_with_the_first_answer(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    path = tmp_path / "a.toml"
    site = {"nodes": Answer("64", origin="site"), "mode": Answer("async", origin="site")}
    with opened(path, catalogue, site=site) as editing:
        assert texts(editing.session) == {"nodes": "64", "mode": "async"}
        editing.accept(meaning(nodes="4"))
    saved = read_session(path)
    assert texts(saved) == {"nodes": "4", "mode": "async"}
    assert saved.answers["mode"].origin == "site"


def test_a_folder_that_cannot_be_written(tmp_path: Path, catalogue: Catalogue) -> None:
    tmp_path.chmod(0o500)
    with unprivileged(), opened(tmp_path / "a.toml", catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        assert editing.banner.startswith("not saved: you may not write here")


def test_what_cannot_be_saved_is_kept_and_offered(tmp_path: Path, catalogue: Catalogue) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    path = folder / "a.toml"
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        # The folder goes away while it is edited, as an unmounted disk does.
        folder.rename(tmp_path / "elsewhere")
        editing.accept(meaning(mode="sync"))
        assert editing.banner == (
            "not saved: there is no such folder; create it, or save under another folder"
        )
        assert editing.kept
        assert texts(editing.session) == {"nodes": "4", "mode": "sync"}
        (tmp_path / "elsewhere").rename(folder)
        editing.accept(meaning(mode="sync"))
        assert not editing.banner
    assert texts(read_session(path)) == {"nodes": "4", "mode": "sync"}


def left_behind(path: Path, *given: tuple[str, str]) -> None:
    """A journal as a killed run leaves it."""
    journal = Journal(path, digest(path) if path.exists() else None)
    for name, text in given:
        journal.record(name, Answer(text), NOW)


def test_left_over_answers_are_offered_and_taken(
    saved: tuple[Path, str], catalogue: Catalogue
) -> None:
    path, _ = saved
    left_behind(path, ("nodes", "8"), ("framework_settings", "--async-save"))
    with opened(path, catalogue) as editing:
        assert editing.recovery is not None
        assert editing.recovery.base_matches
        # Offered, not forced.
        assert texts(editing.session)["nodes"] == "?"
        assert editing.recover() == ("nodes", "framework_settings")
        assert editing.recovery is None
        assert texts(read_session(path))["nodes"] == "8"
        assert read_session(path).advice is None
        assert not journal_path(path).exists()
        assert set(editing.undo()) == {"nodes", "framework_settings"}


def test_left_over_answers_can_be_dropped(saved: tuple[Path, str], catalogue: Catalogue) -> None:
    path, before = saved
    left_behind(path, ("nodes", "8"))
    with opened(path, catalogue) as editing:
        editing.discard()
        assert editing.recovery is None
    assert digest(path) == before
    with opened(path, catalogue) as editing:
        assert editing.recovery is None


def test_dropping_left_over_answers_keeps_what_this_run_could_not_save(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    path = folder / "a.toml"
    save(Session("a"), path, expected_digest=None)
    left_behind(path, ("nodes", "8"))
    with opened(path, catalogue) as editing:
        folder.rename(tmp_path / "elsewhere")
        editing.accept(meaning(mode="sync"))
        assert editing.banner
        editing.discard()
        (tmp_path / "elsewhere").rename(folder)
    with opened(path, catalogue) as editing:
        assert editing.recover() == ("mode",)


def test_an_undecided_recovery_outlives_new_answers(
    saved: tuple[Path, str], catalogue: Catalogue
) -> None:
    path, _ = saved
    left_behind(path, ("nodes", "8"), ("mode", "async"))
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="16"))
    with opened(path, catalogue) as editing:
        assert editing.recovery is not None
        editing.recover()
        # What was answered since wins over what was left behind.
        assert texts(editing.session)["nodes"] == "16"
        assert texts(editing.session)["mode"] == "async"


def test_a_recovery_leaves_newer_answers_of_this_run_alone(
    saved: tuple[Path, str], catalogue: Catalogue
) -> None:
    path, _ = saved
    left_behind(path, ("nodes", "8"), ("mode", "async"))
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="16"))
        assert editing.recover() == ("mode",)
        assert texts(read_session(path))["nodes"] == "16"


def test_left_over_answers_that_these_rules_cannot_read_are_left_out(
    saved: tuple[Path, str], catalogue: Catalogue
) -> None:
    path, _ = saved
    left_behind(path, ("nods", "8"), ("mode", "hybrid"), ("nodes", "many"))
    with opened(path, catalogue) as editing:
        assert editing.recovery is not None
        assert editing.recover() == ()
    load(path, catalogue)


def test_a_killed_run_loses_nothing(tmp_path: Path, home: Path) -> None:
    """SIGKILL between two answers: the first is in the file, whatever comes after."""
    path = tmp_path / "a.toml"
    code = (
        "import os, signal\n"
        "from datetime import UTC, datetime\n"
        "from pathlib import Path\n"
        "from advisor.engine.knowledge import load_knowledge\n"
        "from advisor.interview.flow import Checklist\n"
        "from advisor.interview.meaning import interpret\n"
        "from advisor.session.editing import Editing\n"
        "catalogue = load_knowledge().catalogue\n"
        f"editing = Editing.open(Path({str(path)!r}), catalogue=catalogue,\n"
        "    now=lambda: datetime.now(UTC))\n"
        "editing.accept(interpret(Checklist(catalogue).question('nodes'), '128', None))\n"
        "editing.draft('interval', '30 parsecs')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "CKPT_ADVISOR_HOME": str(home)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL
    assert texts(read_session(path)) == {"nodes": "128"}
    assert read_drafts(path) == {"interval": "30 parsecs"}


def other_save(path: Path, **given: str) -> None:
    """Somebody else saves the session meanwhile."""
    session, known = load(path)
    for name, text in given.items():
        session = session.with_answer(name, Answer(text), NOW)
    save(session, path, expected_digest=known)


def test_a_save_by_somebody_else_is_kept_and_ours_goes_on_top(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        other_save(path, nodes="64", mode="async")
        editing.accept(meaning(state_total="1 TB"))
        assert editing.conflict is not None
        assert editing.banner == "not saved: somebody else saved this session since it was read"
        assert texts(read_session(path)) == {"nodes": "64", "mode": "async"}
        assert editing.reload() == ("state_total",)
        assert editing.conflict is None
        wanted = {"nodes": "64", "mode": "async", "state_total": "1 TB"}
        assert texts(read_session(path)) == wanted
        assert editing.undo() == ()


def test_a_conflict_can_go_on_under_another_name(tmp_path: Path, catalogue: Catalogue) -> None:
    path, other = tmp_path / "a.toml", tmp_path / "b.toml"
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        other_save(path, nodes="64")
        editing.accept(meaning(mode="sync"))
        editing.save_as(other)
        assert not editing.banner
        editing.accept(meaning(mode="async"))
        # The old file is free for others, the new one is ours.
        opened(path, catalogue).close()
        with pytest.raises(SessionLocked):
            opened(other, catalogue)
    assert texts(read_session(path)) == {"nodes": "64"}
    assert texts(read_session(other)) == {"nodes": "4", "mode": "async"}
    assert read_session(other).id == "b"


def test_another_name_that_is_taken_changes_nothing(tmp_path: Path, catalogue: Catalogue) -> None:
    path, other = tmp_path / "a.toml", tmp_path / "b.toml"
    save(Session("b"), other, expected_digest=None)
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        with pytest.raises(StoreError, match="there already is a file"):
            editing.save_as(other)
        assert editing.path == path
        opened(other, catalogue).close()


def test_a_deleted_file_is_written_again(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        path.unlink()
        editing.accept(meaning(mode="sync"))
        assert editing.banner.startswith("not saved: this session was deleted or moved")
        editing.reload()
        assert not editing.banner
    assert texts(read_session(path)) == {"nodes": "4", "mode": "sync"}


def test_a_file_made_unreadable_meanwhile_changes_nothing(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue) as editing:
        editing.accept(meaning(nodes="4"))
        path.write_text("rubbish")
        editing.accept(meaning(mode="sync"))
        with pytest.raises(TomlFault):
            editing.reload()
        assert texts(editing.session) == {"nodes": "4", "mode": "sync"}
        assert path.read_text() == "rubbish"


def test_drafts_outlive_a_run_and_go_with_the_answer(tmp_path: Path, catalogue: Catalogue) -> None:
    path = tmp_path / "a.toml"
    with opened(path, catalogue) as editing:
        editing.draft("nodes", "8 or so")
        editing.draft("mode", "hyb")
        editing.draft("mode", "")
    with opened(path, catalogue) as editing:
        assert editing.drafts == {"nodes": "8 or so"}
        editing.accept(meaning(nodes="8"))
        assert editing.drafts == {}
    assert read_drafts(path) == {}


def test_drafts_in_another_form_are_no_drafts(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    write_drafts(path, {"nodes": "8 or so"})
    file = next((places.state_folder("drafts")).iterdir())
    for rubbish in (b"", b"{", b"[]", b'{"drafts": 1}', b'{"drafts": {"nodes": 1}}', b"\xff"):
        file.write_bytes(rubbish)
        assert read_drafts(path) == {}


def test_without_a_state_folder_answers_are_saved_all_the_same(
    tmp_path: Path, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "no-folder"
    file.touch()
    monkeypatch.setenv("CKPT_ADVISOR_HOME", str(file))
    with opened(tmp_path / "a.toml", catalogue) as editing:
        assert "two people could edit" in editing.warning
        editing.draft("nodes", "8 or so")
        editing.accept(meaning(nodes="8"))
        assert not editing.banner
    assert texts(read_session(tmp_path / "a.toml")) == {"nodes": "8"}
