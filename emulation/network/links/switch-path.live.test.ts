import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import type { Link } from './link.ts';
import { openSwitchPath } from './switch-path.ts';

const reason = missingLiveReason();

/** A program to run inside: reads from all these ports in parallel until it is ended. */
const READ_ALL = `
  const [host, ...ports] = process.argv.slice(1);
  for (const port of ports) require('node:net').connect(Number(port), host).resume();
`;

/** Starts a server that sends data without end. */
async function endless() {
  const server = createServer((socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
    };
    socket.on('drain', write).on('error', () => socket.destroy());
    write();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** A packet that has left the link's queue. */
interface Departure {
  readonly of: 'film' | 'others';
  readonly joined_s: number;
  readonly left_s: number;
  readonly bytes: number;
}

/**
 * The fewest packets in a period that counts. In shorter periods, the incomplete turns at the ends matter too much; a
 * complete turn has four packets.
 */
const LONG_PACKETS = 40;

/**
 * Sums up the bytes of each queue in periods in which both queues had packets waiting and at least `LONG_PACKETS` left.
 * On a busy machine, these periods may be shorter, but their shares are the same.
 */
function countShares(departures: readonly Departure[]): { film: number; others: number; packets: number } {
  const shares = { film: 0, others: 0, packets: 0 };
  /** For each queue, when the next packet that is still to leave has joined it. */
  const next = { film: Infinity, others: Infinity };
  let run: Departure[] = [];
  const endRun = () => {
    if (run.length >= LONG_PACKETS)
      for (const { of, bytes } of run) {
        shares[of] += bytes;
        shares.packets += 1;
      }
    run = [];
  };
  // From the last departure to the first, because the packets that wait at a time are those that leave later.
  for (let index = departures.length - 1; index > 0; index--) {
    const [before, departure] = [departures[index - 1], departures[index]];
    if (!before || !departure) continue;
    next[departure.of] = departure.joined_s;
    if (Math.max(next.film, next.others) < before.left_s) run.push(departure);
    else endRun();
  }
  endRun();
  return shares;
}

/** Slow enough for a busy machine to fill it. The BDP is 13 packets. */
const LINK: Link = {
  rate: { kind: 'constant', mbps: 8 },
  rtt_ms: 20,
  queue_bytes: 90_000,
  weights: [3, 1],
};

describe.skipIf(reason !== undefined)(
  `the link in the switch${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    it.each(['mark', 'drop'] as const)(
      'divides the link by weight between the queues, and can %s packets above a threshold',
      async (action) => {
        const [film, others] = [await endless(), await endless()];
        const seen = { mark: 0, drop: 0 };
        const departures: Departure[] = [];
        const opened = await openSwitchPath(
          { ...LINK, threshold: { packets: 20, action } },
          {
            apart: 'inside',
            seed: 1,
            onPostcard({ marked, dropped, flow, t_s, queueTime, packetLength }) {
              seen.mark += Number(marked);
              seen.drop += Number(dropped);
              const of =
                flow.sourcePort === film.port ? 'film' : flow.sourcePort === others.port ? 'others' : null;
              if (of)
                departures.push({ of, joined_s: t_s, left_s: t_s + queueTime / 1e6, bytes: packetLength });
            },
          },
        );
        const words = [process.execPath, '-e', READ_ALL, opened.path.outsideAddress];
        const ports = [film.port, others.port].map(String);
        try {
          await opened.setVideoPort(film.port);
          const reader = spawn('ip', ['netns', 'exec', opened.namespace, ...words, ...ports], {
            stdio: ['ignore', 'ignore', 'inherit'],
          });
          try {
            // On a quiet machine, this takes half a second.
            await expect
              .poll(() => countShares(departures).packets, { timeout: 30_000 })
              .toBeGreaterThan(300);
            await expect.poll(() => seen[action], { timeout: 20_000 }).toBeGreaterThan(0);
          } finally {
            reader.kill('SIGKILL');
            await once(reader, 'exit');
          }
          const shares = countShares(departures);
          // The ratio is 3, except for incomplete turns at the ends: 40 packets are 30 and 10, or 28 and 12.
          expect(shares.film / shares.others).toBeGreaterThan(2.3);
          expect(shares.film / shares.others).toBeLessThan(4);
          expect(seen[action === 'mark' ? 'drop' : 'mark']).toBe(0);
          // The queue of 59 packets may be full, too. There are no postcards of the packets that it drops for this
          // reason. More postcards arrive while the switch answers.
          const dropped = seen.drop;
          expect(await opened.dropped()).toBeGreaterThanOrEqual(dropped);
        } finally {
          film.server.close();
          others.server.close();
          await opened.close();
        }
      },
      90_000,
    );
  },
);
