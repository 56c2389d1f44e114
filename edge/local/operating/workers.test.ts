import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAssignment } from '../../../src/experiment/reported-assignment.ts';
import { CHANGE_KEY, CHANGE_PATH, PLUGIN_KEY } from '../../../src/wire/rtp.ts';
import { parseReceipt } from '../../../src/wire/receipt.ts';

const EXPERIMENT = { name: 'e', design: 'ab', from: '2020-01-01T00:00Z', allocation: 1, treatment: {} };
const root = join(import.meta.dirname, '../../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'edge-workers-'));
  writeFileSync(join(folder, '1.m4s'), 'media');
  writeFileSync(join(folder, '2.m4s'), new Uint8Array(400_000));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the command with two workers, and collects the output of all processes. */
function run(...args: string[]): { edge: ChildProcess; log: () => string } {
  const command = ['--import', 'tsx', 'tools/main.ts', 'edge', '--origin', folder, '--workers', '2', ...args];
  const edge = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [edge.stdout, edge.stderr])
    stream.on('data', (text: Buffer) => (log += text.toString()));
  return { edge, log: () => log };
}

const readSample = (metrics: string, name: string): number =>
  Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`dashjs_sammy_edge_${name} `))
      ?.split(' ')[1],
  );

/** The workers among the children of a process, without the helpers that tsx starts. */
function findWorkerIds(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('--workers'));
}

it.skipIf(process.platform !== 'linux')(
  'share the port, the limits, the metrics and the table of systems, are replaced when killed, and drain together',
  async () => {
    const limits = ['--max-connections', '8', '--max-connections-per-address', '8'];
    const [table, experiments] = [join(folder, 'table.txt'), join(folder, 'experiments.json')];
    writeFileSync(table, '127.0.0.0/8 64496');
    writeFileSync(experiments, JSON.stringify({ version: 1, experiments: [EXPERIMENT] }));
    const clusters = ['--cluster', 'AS{asn}', '--as-table', table, '--experiments', experiments];
    const { edge, log } = run('--port', '0', '--operator-port', '0', ...limits, ...clusters);
    const open: Socket[] = [];
    try {
      const said = async (pattern: RegExp): Promise<string> => {
        await expect.poll(log, { timeout: 60_000 }).toMatch(pattern);
        return pattern.exec(log())?.[1] ?? '';
      };
      const url = await said(/^serving .* at (\S+)\n/m);
      const operator = await said(/^\/healthz and \/metrics at (\S+)\n/m);
      const metrics = async () => (await fetch(`${operator}/metrics`)).text();
      const sample = (name: string) =>
        expect.poll(async () => readSample(await metrics(), name), { timeout: 30_000 });

      // Each connection goes to the next worker. The connection id in the receipt shows the worker.
      const processes = new Set<string | undefined>();
      for (let count = 0; count < 4; count++) {
        const answer = await fetch(`${url}/1.m4s?CMCD=rtp%3D5000`, { headers: { Connection: 'close' } });
        expect(await answer.text()).toBe('media');
        const { connection, pace_kbps } = parseReceipt((name) => answer.headers.get(name));
        processes.add(connection?.split('-')[0]);
        expect(pace_kbps).toBe(5000);
      }
      expect(processes.size).toBe(2);

      // A change of pace goes to the next worker, and must reach the worker with the response, which takes 32 s at this
      // pace.
      const cmcd = (rtp: number) =>
        encodeURIComponent(`${CHANGE_KEY}="${'5'.repeat(32)}",${PLUGIN_KEY},rtp=${rtp}`);
      const since = performance.now();
      const held = await fetch(`${url}/2.m4s?CMCD=${cmcd(100)}`, { headers: { Connection: 'close' } });
      const change = { method: 'POST', headers: { Connection: 'close' } };
      expect((await fetch(`${url}${CHANGE_PATH}?CMCD=${cmcd(50_000)}`, change)).status).toBe(204);
      expect((await held.arrayBuffer()).byteLength).toBe(400_000);
      expect(performance.now() - since).toBeLessThan(20_000);
      await sample('responses_total{status="200",reason="requested"}').toBe(5);
      await sample('connections').toBe(0);

      for (let count = 0; count < 12; count++) {
        open.push(connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined));
      }
      // A worker that is slow to accept is skipped, so the numbers may differ, but no worker exceeds its part.
      const counted = async () => {
        const text = await metrics();
        return {
          open: readSample(text, 'connections'),
          refused: readSample(text, 'refused_connections_total'),
        };
      };
      await expect
        .poll(
          async () => {
            const now = await counted();
            return now.open + now.refused;
          },
          { timeout: 30_000 },
        )
        .toBe(open.length);
      expect((await counted()).open).toBeLessThanOrEqual(8);
      for (const socket of open) socket.destroy();
      await sample('connections').toBe(0);

      rmSync(table);
      const [victim = 0] = findWorkerIds(edge.pid ?? 0);
      process.kill(victim, 'SIGKILL');
      await said(/^(worker \d+ died \(SIGKILL\); another takes its place)\n/m);
      // Send changes of a response that does not exist. The remaining process forwards them, even to the process that
      // is starting.
      const changing = setInterval(() => {
        void fetch(`${url}${CHANGE_PATH}?CMCD=${cmcd(100)}`, change).catch(() => undefined);
      }, 20);
      await sample('replaced_workers_total').toBe(1);
      await sample('workers')
        .toBe(2)
        .finally(() => clearInterval(changing));
      expect(readSample(await metrics(), 'replaced_workers_total')).toBe(1);
      await sample('responses_total{status="200",reason="requested"}').toBe(5);
      expect((await fetch(`${operator}/healthz`)).status).toBe(200);
      // The replacement has the same table as the others, although the file has been deleted.
      for (let count = 0; count < 4; count++) {
        const answer = await fetch(`${url}/1.m4s?CMCD=${encodeURIComponent('rtp=5000,sid="viewer"')}`, {
          headers: { Connection: 'close' },
        });
        await answer.text();
        expect(readAssignment(answer.headers.get('Server-Timing'))?.cluster).toBe('AS64496');
      }

      // 400 kB at 2 Mbit/s take at most 1.6 s. In that time, all processes get a signal, as from systemd. Each worker
      // also receives changes of a response that does not exist, which are forwarded to the other worker.
      const slow = await fetch(`${url}/2.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D2000`);
      for (let count = 0; count < 3; count++) {
        const changing = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
        open.push(changing);
        const ask = () =>
          changing.write(`POST ${CHANGE_PATH}?CMCD=${cmcd(100)} HTTP/1.1\r\nHost: edge\r\n\r\n`);
        changing.on('data', ask);
        ask();
        await once(changing, 'data');
      }
      const ended = once(edge, 'close');
      for (const pid of [...findWorkerIds(edge.pid ?? 0), edge.pid ?? 0]) process.kill(pid, 'SIGTERM');
      expect((await slow.arrayBuffer()).byteLength).toBe(400_000);
      expect(await ended).toEqual([0, null]);
      expect(log()).toMatch(/\n10 responses, 0\.8 MB, 0 incomplete; requested 10\n$/);
    } finally {
      for (const socket of open) socket.destroy();
      edge.kill('SIGKILL');
    }
  },
  120_000,
);

it.skipIf(process.platform !== 'linux')(
  'keep running when the reader of their log ends',
  async () => {
    const { edge, log } = run('--port', '0', '--operator-port', '0');
    try {
      const lines = /^serving .* at (\S+)\n\/healthz and \/metrics at (\S+)\n/m;
      await expect.poll(log, { timeout: 60_000 }).toMatch(lines);
      const [, url, operator] = lines.exec(log()) ?? [];
      edge.stdout?.destroy();
      edge.stderr?.destroy();
      for (let count = 0; count < 40; count++)
        await (await fetch(`${url}/1.m4s`, { headers: { Connection: 'close' } })).text();
      const metrics = async () => (await fetch(`${operator}/metrics`)).text();
      const served = async () => readSample(await metrics(), 'responses_total{status="200",reason="no-rtp"}');
      await expect.poll(served, { timeout: 30_000 }).toBe(40);
      expect(readSample(await metrics(), 'replaced_workers_total')).toBe(0);
      expect(readSample(await metrics(), 'workers')).toBe(2);
    } finally {
      edge.kill('SIGTERM');
    }
  },
  120_000,
);

it('report once what prevents all of them from serving', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { edge, log } = run('--port', String(port));
  expect(await once(edge, 'close')).toEqual([1, null]);
  expect(log()).toBe(
    `dashjs-sammy edge: port ${port} on 127.0.0.1 is in use; choose another port (docs/edge/node.md)\n`,
  );
  taken.close();
}, 60_000);
