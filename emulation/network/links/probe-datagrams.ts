import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A UDP socket outside that sends through the bottleneck to the program inside. The program's first packet opens the
 * NAT.
 */
export interface Datagrams {
  readonly port: number;
  /** Waits for the first packet from inside. Throws an Error when it does not arrive in time. */
  greeted(within_ms: number): Promise<void>;
  /** Sends `packets` packets of `bytes` bytes each, headers included, at about this rate. */
  send(packets: number, bytes: number, mbps: number): Promise<void>;
  close(): void;
}

/** The length of the headers of IPv4 and UDP. */
const HEADER_BYTES = 28;
/** The most packets sent at once: a TUN device holds 500, and further packets are lost before they reach the link. */
const MOST_AT_ONCE = 200;

export async function openDatagrams(): Promise<Datagrams> {
  const socket = createSocket({ type: 'udp4', sendBufferSize: 4_000_000 });
  // Errors are ignored, because a packet that could not be sent is missing in the count of arrived packets.
  socket.on('error', () => undefined);
  let peer: { address: string; port: number } | undefined;
  socket.on('message', (_hello, from) => (peer ??= from));
  socket.bind(0);
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    async greeted(within_ms) {
      const deadline = performance.now() + within_ms;
      while (peer === undefined) {
        if (performance.now() > deadline)
          throw new Error('calibration: no datagram came from inside the link');
        await sleep(5);
      }
    },
    async send(packets, bytes, mbps) {
      if (peer === undefined) throw new Error('calibration: no program inside the link has sent a datagram');
      const { address, port } = peer;
      const payload = Buffer.alloc(bytes - HEADER_BYTES);
      const perMs = (mbps * 1000) / 8 / bytes;
      const begun_ms = performance.now();
      for (let sent = 0; sent < packets;) {
        const due = Math.min(packets, Math.ceil((performance.now() - begun_ms) * perMs) + 1);
        const until = Math.min(due, sent + MOST_AT_ONCE);
        for (; sent < until; sent++) socket.send(payload, port, address, () => undefined);
        await sleep(1);
      }
    },
    close: () => socket.close(),
  };
}
