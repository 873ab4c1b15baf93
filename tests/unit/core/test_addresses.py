"""Which addresses may be dialled, over all special-use registries and in every spelling of an address.

Blocks: IANA's IPv4 and IPv6 Special-Purpose Address Registries (the latter as of 2024-10-22, with the row of RFC 9780,
2025), the IPv4 and IPv6 Multicast Address Space Registries, the IPv6 Address Space Registry (everything outside
2000::/3), and what has left them: fec0::/10 (RFC 3879), ::/96 (RFC 4291), 192.88.99.0/24 (RFC 7526).
"""

import _socket
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catalogsku.core import addresses
from catalogsku.core.addresses import NOT_AN_ADDRESS, PRIVATE_NETWORK, addresses_of, is_public, literal_of, url_fault

SPECIAL_IPV4 = """
    0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29
    192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24
    192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    255.255.255.255/32"""
SPECIAL_IPV6 = """
    ::1/128 ::/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23
    2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28
    2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10
    ff00::/8 ::/8 100::/8 200::/7 400::/6 800::/5 1000::/4 4000::/3 6000::/3 8000::/3 a000::/3 c000::/3 e000::/4
    f000::/5 f800::/6 fe00::/9"""
# Blocks that IANA has given to the regional registries (IPv4 Address Space Registry, IPv6 Global Unicast Assignments).
GLOBAL_IPV4 = "1.0.0.0/8 8.0.0.0/8 23.0.0.0/8 41.0.0.0/8 93.0.0.0/8 142.0.0.0/8 185.0.0.0/8 223.0.0.0/8"
GLOBAL_IPV6 = """
    2001:200::/23 2001:400::/23 2001:4200::/23 2003::/18 2400::/12 2600::/12 2610::/23 2630::/12 2800::/12 2a00::/12
    2a10::/12 2c00::/12"""


def inside(*blocks: str) -> st.SearchStrategy[IPv4Address | IPv6Address]:
    def of(block: str) -> st.SearchStrategy[IPv4Address | IPv6Address]:
        network = ip_network(block)
        return st.integers(int(network[0]), int(network[-1])).map(type(network[0]))

    return st.sampled_from(" ".join(blocks).split()).flatmap(of)


def spellings(found: IPv4Address | IPv6Address) -> list[str]:
    """Ways in which a resolver takes the same address."""
    if isinstance(found, IPv6Address):
        high, low = found.exploded[:-9], int(found) & 0xFFFFFFFF
        dotted = f"{high}{IPv4Address(low)}"
        return [str(found), found.exploded, str(found).upper(), dotted, f"{found}%lo", f"{found}%1", f"[{found}]"]
    wide = str.maketrans("0123456789.", "０１２３４５６７８９．")
    return [
        str(found), f"{found}.", *numeric_spellings(found), str(found).translate(wide), str(found).replace(".", "。"),
    ]  # fmt: skip


def numeric_spellings(found: IPv4Address) -> list[str]:
    a, b, c, d = found.packed
    number = int(found)
    return [
        str(number), hex(number), hex(number).upper(), f"0{number:o}", f"{a}.{number & 0xFFFFFF}",
        f"{a}.{b}.{c << 8 | d}", f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"{a:#x}.{b:#x}.{c:#x}.{d:#x}",
        f"{a}.0{b:o}.{c:#x}.{d}", f"000{a:o}.{b}.{c}.{d}",
    ]  # fmt: skip


def in_ipv6(found: IPv4Address) -> list[IPv6Address]:
    """What carries it: mapped, compatible, translated, NAT64 of both kinds, 6to4, Teredo (which keeps it inverted)."""
    number = int(found)
    prefixes = ("::ffff:0:0", "::", "::ffff:0:0:0", "64:ff9b::", "64:ff9b:1::")
    tunnels = [number << 80 | 0x2002 << 112, 0x20010000 << 96 | number << 64 | number ^ 0xFFFFFFFF]
    return [*(IPv6Address(int(IPv6Address(prefix)) | number) for prefix in prefixes), *map(IPv6Address, tunnels)]


def shown(host: str) -> str:
    """As the host of a URL."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


@given(inside(SPECIAL_IPV4, SPECIAL_IPV6))
@example(IPv4Address("127.0.0.1"))
@example(IPv4Address("169.254.169.254"))
def test_nothing_of_a_special_block_is_dialled_in_any_spelling(found: IPv4Address | IPv6Address) -> None:
    assert not is_public(str(found))
    for spelling in spellings(found):
        literal = literal_of(spelling)
        assert literal is not None and ip_address(literal) == found, spelling
        assert url_fault(f"https://{shown(spelling)}:8443/a", []) in (PRIVATE_NETWORK, NOT_AN_ADDRESS), spelling


@given(inside(SPECIAL_IPV4))
def test_the_resolver_of_this_machine_takes_no_spelling_for_a_public_one(found: IPv4Address | IPv6Address) -> None:
    assert isinstance(found, IPv4Address)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(addresses.socket, "getaddrinfo", _socket.getaddrinfo)  # numeric: nobody is asked
        for spelling in numeric_spellings(found):
            with pytest.raises(OSError):
                addresses_of(spelling, 443, private=False)


@given(inside(SPECIAL_IPV4, GLOBAL_IPV4))
def test_no_ipv4_address_is_reached_through_an_ipv6_one(found: IPv4Address | IPv6Address) -> None:
    """Where a translator or tunnel leads is not ours to judge."""
    assert isinstance(found, IPv4Address)
    for carrier in in_ipv6(found):
        assert not is_public(str(carrier)), carrier
        for spelling in spellings(carrier):
            assert url_fault(f"https://{shown(spelling)}/", []) in (PRIVATE_NETWORK, NOT_AN_ADDRESS), spelling


@given(inside(GLOBAL_IPV4, GLOBAL_IPV6))
def test_what_anybody_reaches_is_dialled(found: IPv4Address | IPv6Address) -> None:
    assert is_public(str(found)) and url_fault(f"https://{shown(str(found))}/", []) is None


@given(st.integers(0, 2**128 - 1).map(IPv6Address))
def test_outside_of_global_unicast_nothing_is_public(found: IPv6Address) -> None:
    assert found in IPv6Network("2000::/3") or not is_public(str(found))


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names resolve to each answer in turn, numeric hosts to themselves; the names asked for."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        found = [host]
        if literal_of(host) is None:
            found = answers[min(len(asked), len(answers) - 1)]
            asked.append(host)
        return [(socket.AF_INET6 if ":" in a else socket.AF_INET, socket.SOCK_STREAM, 6, "", (a, port)) for a in found]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", getaddrinfo)
    return asked


def test_of_a_names_addresses_the_public_ones_are_dialled(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["10.0.0.1", "93.184.216.34", "::1", "2606:2800:220:1::1", "93.184.216.34"])
    assert addresses_of("shop.example", 443, private=False) == ["93.184.216.34", "2606:2800:220:1::1"]
    assert addresses_of("shop.example", 443, private=True)[0] == "10.0.0.1"


def test_a_name_that_leads_inside_alone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["10.0.0.1", "::ffff:8.8.8.8"])
    with pytest.raises(addresses.NotPublic, match="private network"):
        addresses_of("shop.example", 443, private=False)


@pytest.mark.parametrize(
    "name", ["localhost", "LOCALHOST.", "db.internal", "db.internal.", "printer.local", "metadata"]
)
def test_a_name_of_ours_is_no_address_outside(name: str) -> None:
    assert url_fault(f"https://{name}/", []) == PRIVATE_NETWORK


@pytest.mark.parametrize(
    "url",
    ["", "shop.example", "https://", "https://a:0/", "https://a:x/", "https://[::1/", "https://a b/", "https://ä/"],
)
def test_what_is_no_address_is_named_so(url: str) -> None:
    assert url_fault(url, []) == NOT_AN_ADDRESS


def test_a_host_that_the_operator_named_may_be_inside() -> None:
    assert url_fault("http://127.0.0.1:8080/", ["127.0.0.1"]) is None
    assert url_fault("http://127.1:8080/", ["127.0.0.1"]) is not None  # another spelling was not named
