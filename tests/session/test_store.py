"""Saving: whatever goes wrong, the old file is whole and nothing else is left behind."""

from __future__ import annotations

import os
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from advisor.facts.answers import Answer
from advisor.facts.toml_text import TomlFault
from advisor.session.document import Session, read_session, render_session
from advisor.session.errors import ChangedOnDisk, NewerSchema, StoreError
from advisor.session.store import (
    digest,
    list_sessions,
    load,
    new_session_path,
    save,
    slug,
)

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_save_and_load(saved: tuple[Path, str], session: Session) -> None:
    path, known = saved
    assert load(path) == (session, known)
    # sha256sum is the judge of the digest.
    run = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True)
    assert run.stdout.split()[0] == known == digest(path)
    assert names(path.parent) == ["a.toml"]


def test_second_of_two_savers_is_told(saved: tuple[Path, str], session: Session) -> None:
    path, known = saved
    mine = session.with_answer("mode", Answer("async"), NOW)
    theirs = session.with_answer("nodes", Answer("4"), NOW)
    save(mine, path, expected_digest=known)
    with pytest.raises(ChangedOnDisk, match="somebody else saved"):
        save(theirs, path, expected_digest=known)
    assert read_session(path) == mine


def test_new_session_never_replaces_a_file(saved: tuple[Path, str], session: Session) -> None:
    with pytest.raises(ChangedOnDisk, match="already is a file"):
        save(session, saved[0], expected_digest=None)


def test_deleted_meanwhile(saved: tuple[Path, str], session: Session) -> None:
    path, known = saved
    path.unlink()
    with pytest.raises(ChangedOnDisk, match="deleted or moved"):
        save(session, path, expected_digest=known)
    assert not path.exists()


def test_many_savers_lose_nothing(tmp_path: Path) -> None:
    """Twenty threads add one answer each, reloading when told to: all twenty must be there."""
    path = tmp_path / "a.toml"
    save(Session("a"), path, expected_digest=None)

    def add(number: int) -> None:
        while True:
            session, known = load(path)
            changed = session.with_answer(f"fact_{number}", Answer("1"), NOW)
            try:
                save(changed, path, expected_digest=known)
            except ChangedOnDisk:
                continue
            return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(20)))
    assert set(read_session(path).answers) == {f"fact_{number}" for number in range(20)}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_mode_is_kept(saved: tuple[Path, str], session: Session, mode: int) -> None:
    path, known = saved
    path.chmod(mode)
    save(session.without_answer("mode", NOW), path, expected_digest=known)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o002, 0o664), (0o077, 0o600)])
def test_new_file_follows_the_umask(
    tmp_path: Path, session: Session, umask: int, mode: int
) -> None:
    old = os.umask(umask)
    try:
        save(session, tmp_path / "a.toml", expected_digest=None)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a.toml").stat().st_mode) == mode


def test_link_stays_a_link(saved: tuple[Path, str], session: Session, tmp_path: Path) -> None:
    path, known = saved
    link = tmp_path / "links" / "b.toml"
    link.parent.mkdir()
    link.symlink_to(Path("..") / "a.toml")
    changed = session.without_answer("mode", NOW)
    save(changed, link, expected_digest=known)
    assert link.is_symlink()
    assert read_session(path) == changed
    assert names(link.parent) == ["b.toml"]


def test_dangling_link_makes_the_file_it_names(tmp_path: Path, session: Session) -> None:
    link = tmp_path / "b.toml"
    link.symlink_to("a.toml")
    save(session, link, expected_digest=None)
    assert read_session(tmp_path / "a.toml") == session


def test_comments_are_kept_in_a_copy(saved: tuple[Path, str], session: Session) -> None:
    path, _ = saved
    written = path.read_text().replace("[answers.mode]", "# ask Kim about this\n[answers.mode]")
    path.write_text(written)
    path.chmod(0o640)
    changed = session.without_answer("mode", NOW)
    known = save(changed, path, expected_digest=digest(path))
    copy = path.with_name("a.toml.bak")
    assert copy.read_text() == written
    assert stat.S_IMODE(copy.stat().st_mode) == 0o640
    save(session, path, expected_digest=known)
    assert names(path.parent) == ["a.toml", "a.toml.bak"]


def test_an_older_copy_is_never_overwritten(saved: tuple[Path, str], session: Session) -> None:
    path, _ = saved
    text = path.read_text()
    for note in ("one", "two", "two"):
        path.write_text(text.replace("[answers.mode]", f"# {note}\n[answers.mode]"))
        save(session.without_answer("mode", NOW), path, expected_digest=digest(path))
    assert names(path.parent) == ["a.toml", "a.toml.bak", "a.toml.bak2"]
    assert "# one" in path.with_name("a.toml.bak").read_text()
    assert "# two" in path.with_name("a.toml.bak2").read_text()


def test_newer_file_is_never_rewritten(tmp_path: Path, session: Session) -> None:
    path = tmp_path / "a.toml"
    path.write_text("schema_version = 2\n")
    with pytest.raises(NewerSchema):
        save(session, path, expected_digest=digest(path))
    assert path.read_text() == "schema_version = 2\n"


def test_a_file_that_is_no_session_is_not_overwritten(tmp_path: Path, session: Session) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\n")
    with pytest.raises(TomlFault, match="no schema_version"):
        save(session, path, expected_digest=digest(path))
    assert path.read_text() == "[project]\n"


@pytest.mark.parametrize("expected_digest", [None, "0" * 64])
def test_pipes_and_devices_are_never_replaced(
    tmp_path: Path, session: Session, expected_digest: str | None
) -> None:
    path = tmp_path / "a.toml"
    os.mkfifo(path)
    with pytest.raises(TomlFault, match="a pipe, a socket or a device"):
        save(session, path, expected_digest=expected_digest)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_surrogates_are_refused_in_words(tmp_path: Path, session: Session) -> None:
    path = tmp_path / "a.toml"
    broken = session.with_answer("mode", Answer("sync", note="\udc80"), NOW)
    with pytest.raises(StoreError, match=r"holds \\udc80"):
        save(broken, path, expected_digest=None)
    assert names(tmp_path) == []


class TestNames:
    @pytest.mark.parametrize(
        ("title", "expected"),
        [
            ("BLOOM 176B on Jean Zay", "bloom-176b-on-jean-zay"),
            ("  Größe: é/../x ", "groe-e-x"),
            ("日本", "session"),
            ("", "session"),
            ("../../etc/passwd", "etc-passwd"),
            ("a" * 200, "a" * 60),
        ],
    )
    def test_slug(self, title: str, expected: str) -> None:
        assert slug(title) == expected

    def test_new_path_avoids_what_is_there(self, tmp_path: Path) -> None:
        (tmp_path / "job.toml").touch()
        (tmp_path / "job-2.toml").symlink_to("nowhere")
        assert new_session_path(tmp_path, "Job") == tmp_path / "job-3.toml"
        assert new_session_path(tmp_path, "Other") == tmp_path / "other.toml"


class TestList:
    def test_last_changed_first_then_the_broken_ones(
        self, tmp_path: Path, session: Session
    ) -> None:
        for number, name in enumerate(["old", "new"]):
            when = NOW + timedelta(days=number)
            save(
                session.with_answer("keep", Answer("3"), when),
                tmp_path / f"{name}.toml",
                expected_digest=None,
            )
        save(Session("a"), tmp_path / "dateless.toml", expected_digest=None)
        (tmp_path / "bad.toml").write_text("x = ")
        (tmp_path / "binary.toml").write_bytes(b"\0")
        (tmp_path / "folder.toml").mkdir()
        (tmp_path / "newer.toml").write_text("schema_version = 9")
        (tmp_path / "notes.txt").write_text("x")
        (tmp_path / ".hidden.toml").write_text("x")
        os.mkfifo(tmp_path / "pipe.toml")
        found = list_sessions(tmp_path)
        assert [one.path.stem for one in found] == [
            *("new", "old", "dateless"),
            *("bad", "binary", "folder", "newer", "pipe"),
        ]
        assert [one.path.stem for one in found if one.is_newer] == ["newer"]
        assert all((one.session is None) == (one.fault is not None) for one in found)

    def test_no_folder_holds_no_sessions(self, tmp_path: Path) -> None:
        assert list_sessions(tmp_path / "none") == []

    def test_a_file_is_no_folder(self, tmp_path: Path) -> None:
        (tmp_path / "x").touch()
        with pytest.raises(StoreError, match="a file, not a folder"):
            list_sessions(tmp_path / "x")


def test_saving_a_loaded_session_does_not_change_the_file(saved: tuple[Path, str]) -> None:
    path, known = saved
    session, _ = load(path)
    assert render_session(session) == path.read_text()
    assert save(session, path, expected_digest=known) == known


def test_new_advice_for_a_hand_written_file_keeps_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "hand.toml"
    path.write_text(
        '# from the phone call of Monday\nschema_version = 1\n\n[session]\nid = "hand"  # short\n\n'
        '[answers.nodes]\nvalue = "12"\n'
    )
    session, digest = load(path)
    digest = save(replace(session, advice={"goodput": 0.5}), path, expected_digest=digest)
    assert path.read_text().startswith("# from the phone call of Monday\n")
    assert "# short" in path.read_text()
    session, digest = load(path)
    assert session.advice == {"goodput": 0.5}
    save(replace(session, advice={"goodput": 0.6}), path, expected_digest=digest)
    text = path.read_text()
    assert text.count("[advice]") == 1
    assert "goodput = 0.6" in text
    assert "# from the phone call of Monday" in text
    assert list(tmp_path.iterdir()) == [path]  # nothing was lost, so no copy was needed
