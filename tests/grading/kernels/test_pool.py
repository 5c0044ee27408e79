"""Kernels of a process share a server, and an unused one gives its memory back."""

from __future__ import annotations

import threading

import pytest

from coursekit.grading.kernels.pool import Pool


class Double:
    """Kernels that only tell whether they were closed."""

    made: list[Double]

    def __init__(self, preload, isolate):
        self.closed = threading.Event()
        Double.made.append(self)

    def close(self):
        self.closed.set()


@pytest.fixture(autouse=True)
def _fresh():
    Double.made = []


def test_kernels_with_the_same_libraries_share_a_server():
    pool = Pool(make=Double)
    with (
        pool.using(["numpy"], True) as one,
        pool.using(["numpy"], True) as two,
        pool.using(["numpy"], False) as other,
    ):
        assert one is two and one is not other
    with pool.using(["numpy"], True) as again:
        assert again is one
    pool.close()
    assert all(server.closed.is_set() for server in Double.made) and len(Double.made) == 2


def test_a_server_ends_after_nobody_used_it_for_a_while():
    pool = Pool(idle=0.05, make=Double)
    with pool.using([], True) as first:
        assert not first.closed.wait(0.2)
    assert first.closed.wait(10)
    with pool.using([], True) as second:
        assert second is not first
    pool.close()


def test_a_server_that_is_used_again_in_time_stays():
    pool = Pool(idle=0.3, make=Double)
    for _ in range(3):
        with pool.using([], True):
            pass
    with pool.using([], True) as server:
        assert not server.closed.wait(0.6)
    pool.close()
    assert len(Double.made) == 1


def test_a_forked_process_does_not_close_its_parents_servers(monkeypatch):
    pool = Pool(make=Double)
    with pool.using([], True) as parents:
        pass
    monkeypatch.setattr("os.getpid", lambda: -1)
    pool.close()
    assert not parents.closed.is_set()
