import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import { enterNetwork } from './shell.ts';
import { openSwitchShell } from './switch-shell.ts';

const reason = missingLiveReason();
const RTT_MS = 150;

/** A program to run inside: connects, and prints how long this took, in ms. */
const CONNECT = `
  const [host, port] = process.argv.slice(1);
  const begun = performance.now();
  require('node:net').connect(Number(port), host, () => {
    console.log(performance.now() - begun);
    process.exit();
  });
`;

describe.skipIf(reason !== undefined)(
  `the switch as the link${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    it("has the link's RTT without mahimahi, reports each packet, and leaves nothing behind", async () => {
      const rate = { kind: 'schedule', steps: [{ seconds: 1, mbps: 20 }] } as const;
      const shell = await openSwitchShell({ rate, rtt_ms: RTT_MS, queue_bytes: 100_000 }, 1);
      const server = createServer((socket) => socket.destroy());
      try {
        server.listen(0, '0.0.0.0');
        await once(server, 'listening');
        const { port } = server.address() as { port: number };
        await shell.markStart();
        const since_ms = Date.now();
        const [program = '', ...args] = [
          ...enterNetwork(shell.pid),
          ...[process.execPath, '-e', CONNECT, shell.outsideHost, String(port)],
        ];
        const { stdout } = await promisify(execFile)(program, args);
        expect(Number(stdout)).toBeGreaterThanOrEqual(RTT_MS);
        const { log, queue, lost, lateness_p99_ms } = await shell.readLink({
          origin_ms: since_ms,
          until_ms: Date.now(),
        });
        // At least the SYN-ACK has departed.
        expect(log.totals.departed_packets).toBeGreaterThan(0);
        expect(queue?.length).toBeGreaterThan(0);
        expect(lost).toBe(0);
        expect(lateness_p99_ms).not.toBeNull();
      } finally {
        server.close();
        await shell.close();
      }
      expect(execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })).not.toContain(
        `sammy-${process.pid}`,
      );
    }, 30_000);
  },
);
