import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { liveLack } from '../../p4/switch/live/live-lack.ts';
import type { Link } from './link.ts';
import { openSwitchPath } from './switch-path.ts';

const reason = liveLack();

/** Inside: reads from two ports at once, and says how many bytes of each came between 0.7 s and 2.2 s. */
const READ_BOTH = `
  const [host, ...ports] = process.argv.slice(1);
  const counts = [0, 0];
  let counting = false;
  ports.forEach((port, index) => require('node:net').connect(Number(port), host)
    .on('data', (data) => { if (counting) counts[index] += data.length; }));
  setTimeout(() => { counting = true; }, 700);
  setTimeout(() => { console.log(JSON.stringify(counts)); process.exit(); }, 2200);
`;

/** A server that sends without end. */
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

/** So slow that a busy machine fills it; BDP is 13 packets. */
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
      'gives the film its share by weight, and can %s above a threshold',
      async (action) => {
        const [film, others] = [await endless(), await endless()];
        const seen = { mark: 0, drop: 0 };
        const opened = await openSwitchPath(
          { ...LINK, threshold: { packets: 20, action } },
          {
            apart: 'inside',
            seed: 1,
            onPostcard({ marked, dropped }) {
              seen.mark += Number(marked);
              seen.drop += Number(dropped);
            },
          },
        );
        try {
          await opened.filmFrom(film.port);
          const words = [process.execPath, '-e', READ_BOTH, opened.path.outsideAddress];
          const ports = [film.port, others.port].map(String);
          const reader = spawn('ip', ['netns', 'exec', opened.namespace, ...words, ...ports], {
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          const [of_film, of_others] = JSON.parse(await text(reader.stdout)) as [number, number];
          // 3, if both have packets waiting all the time.
          expect(of_film / of_others).toBeGreaterThan(2);
          expect(of_film / of_others).toBeLessThan(4.5);
          expect(seen[action]).toBeGreaterThan(0);
          expect(seen[action === 'mark' ? 'drop' : 'mark']).toBe(0);
          // The queue itself, of 59 packets, may be full too: of what it drops there is no postcard.
          expect(await opened.dropped()).toBeGreaterThanOrEqual(seen.drop);
        } finally {
          film.server.close();
          others.server.close();
          await opened.close();
        }
      },
      30_000,
    );
  },
);
