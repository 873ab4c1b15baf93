"""The suite itself: no test can leave this machine."""

import socket
import urllib.request

import pytest


def test_refuses_a_connection_to_another_machine() -> None:
    with socket.socket() as outgoing, pytest.raises(Exception, match="connection to 192.0.2.1"):
        outgoing.connect(("192.0.2.1", 80))


def test_refuses_a_datagram_to_another_machine() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as outgoing, pytest.raises(Exception, match="connection to 192.0.2.1"):
        outgoing.sendto(b"x", ("192.0.2.1", 53))


def test_refuses_to_look_up_a_foreign_name() -> None:
    with pytest.raises(Exception, match="connection to example.org"):
        urllib.request.urlopen("http://example.org/")


def test_lets_loopback_through() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
