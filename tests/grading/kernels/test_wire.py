"""Messages arrive whole, and what is no message is known for it."""

from __future__ import annotations

import os
import socket
import struct
import time

import pytest

from coursekit.grading.kernels import wire


@pytest.fixture
def pair():
    left, right = socket.socketpair()
    with left, right:
        yield left, right


@pytest.mark.parametrize("message", [{}, {"a": [1, None, "é\ud800"]}, {"long": "x" * 100_000}])
def test_messages_arrive_as_they_were(pair, message):
    wire.send(pair[0], message)
    assert wire.receive(pair[1]) == message


def test_descriptors_travel_with_a_message(pair, tmp_path):
    with open(tmp_path / "f", "w+") as file:
        wire.send(pair[0], {"n": 1}, file.fileno())
    message, (descriptor,) = wire.receive_with_descriptors(pair[1])
    assert message == {"n": 1}
    os.write(descriptor, b"there")
    os.close(descriptor)
    assert (tmp_path / "f").read_text() == "there"


@pytest.mark.parametrize(
    "body", [b"no json", b"[1]", b"\xff\xfe", b"[" * 100_000], ids=["text", "list", "bytes", "deep"]
)
def test_other_content_is_garbled(pair, body):
    pair[0].sendall(struct.pack("!I", len(body)) + body)
    with pytest.raises(wire.Garbled):
        wire.receive(pair[1])


def test_a_length_beyond_reason_is_garbled(pair):
    pair[0].sendall(struct.pack("!I", wire.LARGEST + 1))
    with pytest.raises(wire.Garbled):
        wire.receive(pair[1])


def test_a_closed_channel_is_told_on_both_sides(pair):
    pair[1].close()
    with pytest.raises(wire.Closed):
        wire.receive(pair[0])
    with pytest.raises(wire.Closed):
        wire.send(pair[0], {})


def test_waiting_ends_in_time_even_for_half_a_message(pair):
    pair[0].sendall(struct.pack("!I", 10) + b"{")
    with pytest.raises(TimeoutError):
        wire.receive(pair[1], time.monotonic() + 0.05)
