import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { LiveSwitch } from './live.ts';

const program = join(import.meta.dirname, '../../programs/bottleneck.p4');
const reason = missing();

function missing(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  if (process.getuid?.() !== 0) return 'not root';
  if (!existsSync('/dev/net/tun')) return 'no /dev/net/tun';
  return ['/sbin/ip', '/usr/sbin/ip', '/usr/bin/ip', '/bin/ip'].some(existsSync) ? undefined : 'no iproute2';
}

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' });

const BYTES = 2_000_000;
/** A server that counts what it gets, and a client that sends it so much. */
const SERVER = `
let total = 0;
require('net').createServer((s) => { s.on('data', (d) => { total += d.length; }); s.on('end', () => { console.log(total); process.exit(); }); })
  .listen(5000, '10.9.0.2', () => console.log('ready'));`;
const CLIENT = `
const s = require('net').connect(5000, '10.9.0.2', () => { s.end(Buffer.alloc(${BYTES})); });
s.on('close', () => process.exit());`;

function inNamespace(
  name: string,
  script: string,
): { output: Promise<string>; ready: Promise<void>; end: () => void } {
  const child = spawn('ip', ['netns', 'exec', name, process.execPath, '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let begin = (): void => undefined;
  const ready = new Promise<void>((resolve) => (begin = resolve));
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString();
    begin();
  });
  const output = new Promise<string>((resolve) => child.on('close', () => resolve(text)));
  return { output, ready, end: () => void child.kill() };
}

describe.skipIf(reason !== undefined)(
  `live, between network namespaces${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    test('a TCP transfer goes through the bottleneck, and every packet is accounted for', async () => {
      const id = process.pid.toString(36);
      const [left, right] = [`p4l${id}`, `p4r${id}`];
      const folder = mkdtempSync(join(tmpdir(), 'p4-live-'));
      const path = join(folder, 'switch.json');
      const port = (namespace: string, side: string): object => ({ interface: `t${side}${id}`, namespace });
      writeFileSync(
        path,
        JSON.stringify({
          program,
          ports: {
            1: port(left, 'l'),
            2: { ...port(right, 'r'), rate_bit_s: 40_000_000, depth_packets: 30 },
            3: { interface: `tc${id}`, depth_packets: 10_000 },
          },
          entries: [
            {
              table: 'unknown',
              keys: { 'standard_metadata.ingress_port': 1 },
              action: 'forward',
              args: { port: 2 },
            },
            {
              table: 'unknown',
              keys: { 'standard_metadata.ingress_port': 2 },
              action: 'forward',
              args: { port: 1 },
            },
          ],
          mirrors: [{ session: 1, port: 3 }],
        }),
      );
      let device: LiveSwitch | undefined;
      let server: ReturnType<typeof inNamespace> | undefined;
      let client: ReturnType<typeof inNamespace> | undefined;
      try {
        for (const name of [left, right]) ip('netns', 'add', name);
        device = await LiveSwitch.start(readConfig(path));
        ip('-n', left, 'addr', 'add', '10.9.0.1/24', 'dev', `tl${id}`);
        ip('-n', right, 'addr', 'add', '10.9.0.2/24', 'dev', `tr${id}`);
        server = inNamespace(right, SERVER);
        await server.ready;
        client = inNamespace(left, CLIENT);
        const output = await server.output;
        expect(output.trim().split('\n').at(-1)).toBe(String(BYTES));

        const sent = await device.counter('sent', 2);
        expect(sent.bytes).toBeGreaterThan(BYTES);
        const { counts, ports } = await device.stop();
        device = undefined;
        const sum = (of: (port: (typeof ports)[number]) => number): number =>
          ports.reduce((total, each) => total + of(each), 0);
        // In = out + dropped + queued; a clone is one more that comes in.
        expect(counts.received).toBe(sum((each) => each.received));
        expect(counts.received + counts.copies).toBe(
          counts.transmitted +
            counts.droppedInIngress +
            counts.droppedInEgress +
            counts.droppedInQueue +
            sum((each) => each.waiting),
        );
        // A postcard for everything that reached egress and was no postcard itself.
        const originals = sum((each) => (each.port === 3 ? 0 : each.dequeued));
        expect(counts.copies).toBe(originals);
        expect(counts.failed).toBe(0);
      } finally {
        client?.end();
        server?.end();
        await device?.stop();
        for (const name of [left, right]) ip('netns', 'del', name);
        rmSync(folder, { recursive: true });
      }
      expect(ip('netns', 'list')).not.toContain(left);
    }, 30_000);
  },
);
