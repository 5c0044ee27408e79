"""The front: Jupyter's messages on one side, cells and what they did on the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Empty

import pytest
import zmq
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.session import Session as Signer

from coursekit.errors import CourseError
from coursekit.grading.kernels import messages
from coursekit.grading.kernels.cells import Cell, CellRun, Verdict
from coursekit.grading.kernels.front import Front
from coursekit.grading.kernels.sockets import Address

KEY = b"a key"
OUTPUTS = [
    {"output_type": "stream", "name": "stdout", "text": "hello\ud800"},
    {"output_type": "display_data", "data": {"text/plain": "a plot"}, "metadata": {}},
    {"output_type": "execute_result", "data": {"text/plain": "3"}, "metadata": {}},
]
FAULT = {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["no"]}


class Double:
    """A session whose cells do what their text says."""

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self.interrupted = threading.Event()
        self.started = threading.Event()
        self.closed = False

    def run(self, cell: Cell) -> CellRun:
        self.cells.append(cell)
        self.started.set()
        if cell.source == "wait":
            ended = self.interrupted.wait(20)
            return CellRun(outputs=[FAULT], stopped="interrupted" if ended else "never")
        if cell.source == "fail":
            return CellRun(outputs=[FAULT], execution_count=2)
        if cell.source == "no server":
            raise CourseError("no kernel can be started: out of memory")
        if cell.source == "nonsense":
            return CellRun([{"output_type": "error"}, 3])
        verdict = Verdict(0.5, 2.0, "Half.", ["odd"]) if cell.points else None
        return CellRun(OUTPUTS, verdict, notes=["a note"], flags=["a flag"], execution_count=7)

    def interrupt(self) -> None:
        self.interrupted.set()

    def close(self) -> None:
        self.closed = True
        self.interrupted.set()


@pytest.fixture
def double() -> Double:
    return Double()


@pytest.fixture
def front(double: Double) -> Iterator[Front]:
    served = Front(double, Address(), KEY, "hmac-sha256")
    served.start()
    yield served
    served.stop()


def connected(front: Front, key: bytes = KEY) -> BlockingKernelClient:
    client = BlockingKernelClient()
    ports = {f"{name}_port": port for name, port in front.ports.items()}
    client.load_connection_info({"transport": "tcp", "ip": "127.0.0.1", "key": key, **ports})
    client.start_channels()
    return client


@pytest.fixture
def client(front: Front) -> Iterator[BlockingKernelClient]:
    made = connected(front)
    made.wait_for_ready(timeout=10)
    yield made
    made.stop_channels()


def until_idle(client: BlockingKernelClient, asked: str) -> list[dict]:
    said = []
    while True:
        message = client.get_iopub_msg(timeout=10)
        if message["parent_header"].get("msg_id") == asked:
            said.append(message)
            if message["content"].get("execution_state") == "idle":
                return said


def test_a_cell_runs_and_what_it_showed_is_told(client, double):
    asked = client.execute("x = 1")
    reply = client.get_shell_msg(timeout=10)["content"]
    said = until_idle(client, asked)
    assert double.cells == [Cell("x = 1")]
    assert (reply["status"], reply["execution_count"]) == ("ok", 7)
    assert [message["msg_type"] for message in said] == [
        "status", "execute_input", "stream", "display_data", "execute_result", "status",
    ]  # fmt: skip
    assert said[1]["content"] == {"code": "x = 1", "execution_count": 7}
    assert said[2]["content"] == {"name": "stdout", "text": "hello?"}
    assert said[4]["content"]["execution_count"] == 7


def test_metadata_make_a_test_cell_and_the_reply_has_its_verdict(client, double):
    told = {"name": "t1", "course": True, "points": 2.0, "hidden": True}
    client.session.metadata = {"coursekit": told}
    client.execute("f(1)")
    reply = client.get_shell_msg(timeout=10)["content"]["coursekit"]
    assert double.cells == [Cell("f(1)", "t1", True, 2.0, True)]
    verdict = {"score": 0.5, "points": 2.0, "why": "Half.", "alerts": ["odd"]}
    assert reply == {"verdict": verdict, "stopped": "", "notes": ["a note"], "flags": ["a flag"]}


def test_an_error_is_told_and_ends_what_was_asked_after_it(client, double):
    client.execute("wait")
    double.started.wait(10)
    client.execute("x = 1")
    double.interrupt()
    replies = [client.get_shell_msg(timeout=10)["content"] for _ in range(2)]
    assert [reply["status"] for reply in replies] == ["error", "aborted"]
    assert (replies[0]["ename"], replies[0]["traceback"]) == ("ValueError", ["no"])
    assert double.cells == [Cell("wait")]


def test_cells_that_may_fail_do_not_stop_the_others(client, double):
    for source in ("fail", "x = 1"):
        client.execute(source, stop_on_error=False)
    replies = [client.get_shell_msg(timeout=10)["content"]["status"] for _ in range(2)]
    assert replies == ["error", "ok"] and len(double.cells) == 2


def test_an_interrupt_reaches_a_cell_that_runs(client, double):
    client.execute("wait")
    double.started.wait(10)
    client.control_channel.send(client.session.msg("interrupt_request", {}))
    assert client.get_control_msg(timeout=10)["content"]["status"] == "ok"
    assert client.get_shell_msg(timeout=10)["content"]["coursekit"]["stopped"] == "interrupted"


def test_it_answers_other_requests_while_a_cell_runs(client, double):
    client.execute("wait")
    double.started.wait(10)
    asked = [client.complete("x."), client.inspect("x"), client.history(), client.comm_info(),
             client.is_complete("x = 1"), client.kernel_info()]  # fmt: skip
    replies = [client.get_shell_msg(timeout=10) for _ in asked]
    assert [reply["parent_header"]["msg_id"] for reply in replies] == asked
    assert {reply["content"]["status"] for reply in replies[:4]} == {"ok"}
    assert replies[-1]["content"]["language_info"]["name"] == "python"
    double.interrupt()


def test_where_no_kernel_starts_the_reply_says_so_and_gives_no_verdict(client):
    client.execute("no server")
    reply = client.get_shell_msg(timeout=10)["content"]
    assert reply["ename"] == "NoKernel"
    assert reply["coursekit"] == {"failed": "no kernel can be started: out of memory"}


def test_an_answer_that_makes_no_sense_ends_nothing(client):
    client.execute("nonsense", stop_on_error=False)
    client.execute("x = 1")
    replies = [client.get_shell_msg(timeout=10)["content"] for _ in range(2)]
    assert "failed" in replies[0]["coursekit"] and replies[1]["status"] == "ok"


def test_shutdown_ends_it_and_the_session(client, front, double):
    client.shutdown()
    assert client.get_control_msg(timeout=10)["content"] == {"status": "ok", "restart": False}
    front.join(10)
    assert not front.alive and double.closed


def test_a_message_without_the_key_is_not_heard(front, double):
    stranger = connected(front, key=b"another key")
    stranger.execute("x = 1")
    with pytest.raises(Empty):
        stranger.get_shell_msg(timeout=0.5)
    stranger.stop_channels()
    assert double.cells == [] and front.alive


def test_a_damaged_request_does_not_end_it(client, double):
    for content in ({}, {"code": None}, {"code": "x = 1"}):
        metadata = {"coursekit": "odd"} if content else {}
        message = client.session.msg("execute_request", content, metadata=metadata)
        client.shell_channel.send(message)
    client.session.metadata = {"coursekit": {"points": 1, "unknown": 3}}
    client.execute("y = 2")
    replies = [client.get_shell_msg(timeout=10)["content"] for _ in range(2)]
    assert [reply["status"] for reply in replies] == ["ok", "ok"]
    assert double.cells == [Cell("x = 1"), Cell("y = 2", points=1)]


def test_stopping_ends_a_cell_that_runs(client, front, double):
    client.execute("wait")
    double.started.wait(10)
    front.stop()
    assert double.closed and not front.alive


def test_a_restarted_kernel_gets_its_ports_back(front, double):
    front.stop()
    again = Front(Double(), Address(ports=front.ports), KEY, "hmac-sha256")
    again.start()
    client = connected(again)
    client.wait_for_ready(timeout=10)
    client.stop_channels()
    again.stop()
    assert again.ports == front.ports


def test_ports_that_are_taken_are_refused_and_nothing_stays_bound(front, monkeypatch):
    monkeypatch.setattr("coursekit.grading.kernels.sockets.TO_REBIND", 0.05)
    free = {"shell": 0, "control": front.ports["hb"]}
    with pytest.raises(zmq.ZMQError):
        Front(Double(), Address(ports=free), KEY, "hmac-sha256")


def test_sockets_may_be_files(tmp_path, double):
    front = Front(double, Address("ipc", str(tmp_path / "k")), KEY, "hmac-sha256")
    front.start()
    client = BlockingKernelClient()
    ports = {f"{name}_port": port for name, port in front.ports.items()}
    client.load_connection_info(
        {"transport": "ipc", "ip": str(tmp_path / "k"), "key": KEY, **ports}
    )
    client.start_channels()
    client.wait_for_ready(timeout=10)
    client.stop_channels()
    front.stop()
    assert len(set(front.ports.values())) == 5


def test_values_that_json_cannot_carry_are_replaced():
    odd = {"a\ud800": [float("nan"), float("inf"), (1, "\udcff")], "b": True}
    plain = messages.plain(odd)
    assert plain == {"a?": [None, None, [1, "?"]], "b": True}
    assert b"NaN" not in b"".join(Signer(key=KEY).serialize({**MESSAGE, "content": plain}))


MESSAGE: dict = {"header": {}, "parent_header": {}, "metadata": {}, "content": {}}
