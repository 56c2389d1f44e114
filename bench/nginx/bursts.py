"""Measures the largest number of payload bytes of TCP or UDP that each flow on an interface carries within a millisecond.

    python3 bursts.py INTERFACE SERVER_PORT SECONDS    prints JSON: {client port: [bytes, packets of 1,448 bytes]}

The first second is left out, because the kernel sends the first ten packets of a connection at once. A large segment
that the kernel leaves to the network card to split counts with all its bytes at one time.
"""

import collections
import json
import socket
import struct
import sys
import time

SO_TIMESTAMPNS = 35
ETH_P_IP = 0x0800
ETHERNET_BYTES = 14
UDP_HEADER_BYTES = 8
PAYLOAD_BYTES = 1448
WINDOW_S = 0.001
SETTLING_S = 1.0


def main() -> None:
    interface, server_port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0003))
    tap.bind((interface, 0))
    tap.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 25)
    tap.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    tap.settimeout(0.2)

    flows: dict[int, list[tuple[float, int]]] = collections.defaultdict(list)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            frame, ancillary, _, _ = tap.recvmsg(200, 128, socket.MSG_TRUNC)
        except TimeoutError:
            continue
        protocol = frame[ETHERNET_BYTES + 9]
        if struct.unpack_from("!H", frame, 12)[0] != ETH_P_IP or protocol not in (socket.IPPROTO_TCP, socket.IPPROTO_UDP):
            continue
        header = (frame[ETHERNET_BYTES] & 15) * 4
        total = struct.unpack_from("!H", frame, ETHERNET_BYTES + 2)[0]
        source, destination = struct.unpack_from("!HH", frame, ETHERNET_BYTES + header)
        udp = protocol == socket.IPPROTO_UDP
        payload = total - header - (UDP_HEADER_BYTES if udp else (frame[ETHERNET_BYTES + header + 12] >> 4) * 4)
        if source != server_port or payload <= 0:
            continue
        sec, nsec = struct.unpack("@qq", ancillary[0][2][:16])
        flows[destination].append((sec + nsec / 1e9, payload))

    print(json.dumps({port: [most := most_in_window(sent), -(-most // PAYLOAD_BYTES)] for port, sent in flows.items()}))


def most_in_window(sent: list[tuple[float, int]]) -> int:
    most = within = first = 0
    began = sent[0][0]
    for at, payload in sent:
        within += payload
        while at - sent[first][0] > WINDOW_S:
            within -= sent[first][1]
            first += 1
        if at - began > SETTLING_S:
            most = max(most, within)
    return most


main()
