"""Which addresses programs of ours may dial: global unicast ones, that anybody reaches from anywhere, and no others.

What is refused is dialled only where an operator's setting names its host. A name is looked up once, its addresses are
judged, and those are dialled: it cannot point elsewhere by then.
"""

import socket
import unicodedata
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

NOT_AN_ADDRESS, HTTPS_NEEDED, PRIVATE_NETWORK = "not_an_address", "https_needed", "private_network"

# IPv4: everything but IANA's special-purpose registry, also its rows that are reachable (anycast of protocols, sinks),
# multicast, and the relays that 6to4 had.
_IPV4_WITHOUT = tuple(
    ip_network(block)
    for block in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip
# IPv6: global unicast (RFC 4291, 2.4) but the registry's rows inside it. What lies outside leads inside or, with an
# IPv4 address in it, through a translator or tunnel that is not ours to judge: mapped, compatible, NAT64 (RFC 6052).
_IPV6_WITHIN = ip_network("2000::/3")
_IPV6_WITHOUT = tuple(
    ip_network(block) for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
_OURS = (".localhost", ".local", ".internal", ".home.arpa")  # no public resolver answers these, nor one word alone


class NotPublic(OSError):
    """The name stands for addresses, none of which may be dialled."""


def is_public(address: str) -> bool:
    """Of a numeric address, as resolvers write it. Raises ValueError for anything else."""
    numeric: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if numeric.version == 4:
        return not any(numeric in block for block in _IPV4_WITHOUT)
    return numeric in _IPV6_WITHIN and not any(numeric in block for block in _IPV6_WITHOUT)


def addresses_of(host: str, port: int, *, private: bool) -> list[str]:
    """All that may be dialled, in the resolver's order; with ``private`` all there are. Raises OSError or NotPublic."""
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(f"{type(error).__name__}: {error}") from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
    allowed = [address for address in addresses if private or is_public(address)]
    if addresses and not allowed:
        raise NotPublic(f"{host} has an address of a private network")
    return allowed


def literal_of(host: str) -> str | None:
    """The address that resolvers read ``host`` as without asking anybody, however it is spelled: 127.1, 0x7f000001,
    0177.0.0.1, full-width digits, a dot behind it, a zone. None for a name."""
    plain = unicodedata.normalize("NFKC", host).replace("\u3002", ".").strip("[]").partition("%")[0].rstrip(".")
    try:
        return str(ip_address(plain))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(plain))
    except (OSError, ValueError):
        return None


def url_fault(url: str, named: Collection[str]) -> str | None:
    """Why nothing of ours goes there, as far as the address itself tells; ``named``: hosts that may be private, also
    over plain HTTP."""
    parts = _split(url)
    if parts is None:
        return NOT_AN_ADDRESS
    host = parts.hostname or ""
    if host in named:
        return None if parts.scheme in ("http", "https") else NOT_AN_ADDRESS
    if parts.scheme != "https":
        return HTTPS_NEEDED
    return PRIVATE_NETWORK if is_inside(host) else None


def is_inside(host: str) -> bool:
    """Whether a URL's host is an address that is not public, or a name that no public resolver answers; nobody is
    asked."""
    literal = literal_of(host)
    if literal is not None:
        return not is_public(literal)
    name = host.rstrip(".")
    return "." not in name or name.endswith(_OURS)


def _split(url: str) -> SplitResult | None:
    if not url.isascii() or not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
        return parts if parts.hostname and parts.port != 0 else None
    except ValueError:
        return None
