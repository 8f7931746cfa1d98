"""Reach anyone: on this machine, on the network, through names and through files."""

import socket


def loopback(x):
    attempt("loopback", lambda: socket.create_connection(("127.0.0.1", WORLD["port"]), 1).send(b"secret"))
    return x


def datagram(x):
    def send():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
            return sending.sendto(b"secret", ("127.0.0.1", WORLD["port"]))

    attempt("datagram", send)
    return x


def abstract_name(x):
    attempt("abstract socket", lambda: socket.socket(socket.AF_UNIX).connect("\0" + WORLD["abstract"]))
    return x


def named_socket(x):
    attempt("named socket", lambda: socket.socket(socket.AF_UNIX).connect(WORLD["socket"]))
    return x


def listens(x):
    def listen():
        kept.append(socket.create_server(("127.0.0.1", 0)))

    attempt("a listener", listen)
    return x


def pair(x):
    def make():
        kept.append(socket.socketpair())

    attempt("a pair of sockets", make)
    return x


def kernel_sockets(x):
    for family in (16, 17, 38, 40):  # netlink, packets, the kernel's ciphers, virtual machines
        attempt("a socket of the kernel", lambda: system_call("socket", family, 3, 0))
    return x


def names(x):
    attempt("an address", lambda: socket.getaddrinfo("example.org", 80))
    attempt("an interface", lambda: os.listdir("/sys/class/net"))
    return x
