#!/usr/bin/env python3
"""Small programs that move bytes over TCP the way real ones do.

  apps.py sink PORT [--rcvbuf N] [--rate BYTES/S]          reads a stream (slowly)
  apps.py source HOST PORT --seconds T [--sndbuf N] [--rate BYTES/S] [--chunk N]
  apps.py serve PORT                                       answers each request with 16 bytes
  apps.py request HOST PORT --seconds T --writes N[,N] [--nodelay]
"""

import argparse
import signal
import socket
import struct
import time


def connect(a):
    s = socket.socket()
    if a.sndbuf:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, a.sndbuf)
    if a.nodelay:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    s.settimeout(a.seconds + 5)
    s.connect((a.host, a.port))
    return s


def listen(a):
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if a.rcvbuf:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, a.rcvbuf)
    s.bind(("", a.port))
    s.listen()
    return s.accept()[0]


def summary(what, count, began, ended=None):
    took = max((ended or time.monotonic()) - began, 1e-9)
    print(f"{what} {count} bytes in {took:.3f} s, {count * 8 / took / 1e6:.3f} Mbit/s", flush=True)


def stop(*_):
    raise OSError("terminated")


def sink(a):
    signal.signal(signal.SIGTERM, stop)  # the sender's last word may be lost
    c = listen(a)
    began = ended = time.monotonic()
    count = 0
    try:
        while data := c.recv(min(65536, max(1024, int(a.rate / 20))) if a.rate else 262144):
            count, ended = count + len(data), time.monotonic()
            if a.rate:
                time.sleep(max(0, began + count / a.rate - ended))
    except OSError:
        pass
    summary("received", count, began, ended)


def source(a):
    s = connect(a)
    began, count, block = time.monotonic(), 0, bytes(a.chunk)
    s.settimeout(1)
    while (now := time.monotonic()) < began + a.seconds:
        try:
            count += s.send(block)
        except TimeoutError:
            continue
        if a.rate:
            time.sleep(max(0, began + count / a.rate - now))
    summary("wrote", count, began)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()


def serve(a):
    c, pending = listen(a), b""
    try:
        while data := c.recv(65536):
            pending += data
            while len(pending) >= 4 and len(pending) >= (size := struct.unpack(">I", pending[:4])[0]):
                pending = pending[size:]
                c.sendall(b"ok, got that.\r\n\0")
    except OSError:
        pass


def request(a):
    s = connect(a)
    sizes = [int(n) for n in a.writes.split(",")]
    began, count, times = time.monotonic(), 0, []
    try:
        while (start := time.monotonic()) < began + a.seconds:
            for i, size in enumerate(sizes):
                head = struct.pack(">I", sum(sizes)) if i == 0 else b""
                s.sendall(head + bytes(size - len(head)))
            got = 0
            while got < 16:
                if not (data := s.recv(16 - got)):
                    raise OSError("closed")
                got += len(data)
            times.append(time.monotonic() - start)
            count += sum(sizes)
    except OSError as e:
        print(f"request {len(times) + 1}: {e or 'timed out'}")
    times.sort()
    if times:
        print(f"{len(times)} requests, latency median {times[len(times) // 2] * 1e3:.1f} ms, "
              f"p99 {times[int(len(times) * 0.99)] * 1e3:.1f} ms, max {times[-1] * 1e3:.1f} ms")
    summary("sent", count, began)


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    sub = p.add_subparsers(dest="role", required=True)
    for role in (sink, source, serve, request):
        q = sub.add_parser(role.__name__)
        q.set_defaults(run=role)
        if role in (source, request):
            q.add_argument("host")
        q.add_argument("port", type=int)
        q.add_argument("--seconds", type=float, default=10)
        q.add_argument("--rate", type=float, default=0)
        q.add_argument("--chunk", type=int, default=65536)
        q.add_argument("--sndbuf", type=int, default=0)
        q.add_argument("--rcvbuf", type=int, default=0)
        q.add_argument("--writes", default="64")
        q.add_argument("--nodelay", action="store_true")
    a = p.parse_args()
    a.run(a)


if __name__ == "__main__":
    main()
