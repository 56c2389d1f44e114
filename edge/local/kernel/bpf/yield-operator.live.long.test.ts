import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FLOOR_KEY, PLUGIN_KEY } from '../../../../src/wire/rtp.ts';
import { congestionControls } from '../socket-options.ts';
import { loadStructOps, unloadStructOps } from './struct-ops.ts';
import { loadYieldControl } from './yield-control.ts';

const loaded = await loadYieldControl();
if ('unload' in loaded) await loaded.unload();
const missing = 'missing' in loaded ? loaded.missing : undefined;

const EDGE = ['--import', 'tsx', fileURLToPath(new URL('../../main.ts', import.meta.url))];
/** Runs a command in its own PID namespace, like the first process of a container. */
const AS_CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const STARTS_MS = 60_000;

let root: string;
const running: ChildProcess[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'edge-yield-'));
  await writeFile(join(root, '1.m4s'), new Uint8Array(100_000));
});
afterEach(async () => {
  for (const edge of running.splice(0)) await end(edge, 'SIGKILL');
  await rm(root, { recursive: true });
});

async function end(edge: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (edge.exitCode !== null || edge.signalCode !== null) return;
  edge.kill(signal);
  await once(edge, 'exit');
}

/** Starts an edge that yields, with its own folder for temporary files. `printed` is its output. */
function start(origin: string, before: readonly string[] = []) {
  const [program, ...args] = [...before, process.execPath, ...EDGE, '--yield', '--port', '0'];
  const edge = spawn(program, [...args, '--origin', origin], { env: { ...process.env, TMPDIR: root } });
  running.push(edge);
  const started = { edge, printed: '' };
  for (const stream of [edge.stdout, edge.stderr])
    stream.on('data', (chunk: Buffer) => (started.printed += chunk.toString()));
  return started;
}

async function startServing(before?: readonly string[]) {
  const started = start(root, before);
  const url = await vi.waitFor(
    () => {
      const [, found] = /serving .* at (http:\S+)/.exec(started.printed) ?? [];
      if (found === undefined) throw new Error(`not serving: ${started.printed}`);
      return found;
    },
    { timeout: STARTS_MS, interval: 100 },
  );
  return { ...started, url };
}

/** Returns the congestion control of a response whose request has a floor. */
async function readControl(url: string): Promise<string | undefined> {
  const keys = encodeURIComponent([PLUGIN_KEY, `${FLOOR_KEY}=3000`, 'rtp=20000'].join(','));
  const response = await fetch(`${url}/1.m4s?CMCD=${keys}`);
  await response.arrayBuffer();
  return /tcp-cc;desc="([^"]+)"/.exec(response.headers.get('server-timing') ?? '')?.[1];
}

const temporary = async (): Promise<string[]> =>
  (await readdir(root)).filter((name) => name.startsWith('dashjs-sammy'));

const yielding = async (): Promise<string[]> =>
  (await congestionControls()).available.filter((name) => name.startsWith('yield'));

describe.skipIf(missing !== undefined)(
  `--yield on odd machines${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('yields in each of several containers, and none removes the program of another running one', async () => {
      const host = await startServing();
      const containers = [await startServing(AS_CONTAINER), await startServing(AS_CONTAINER)];
      const controls = await Promise.all([host, ...containers].map(({ url }) => readControl(url)));
      expect(new Set(controls).size).toBe(3);
      for (const control of controls) expect(await yielding()).toContain(control);
      await end(host.edge, 'SIGTERM');
      expect(await yielding()).not.toContain(controls[0]);
      // Killed edges leave their congestion controls, which other processes cannot distinguish from those in use.
      for (const { edge } of containers) await end(edge, 'SIGKILL');
      await unloadStructOps((name) => controls.includes(name));
    }, 200_000);

    it('replaces an earlier process that had the same id and was killed', async () => {
      const source = fileURLToPath(new URL('yield.c', import.meta.url));
      const name = `yield${process.pid}t`;
      await loadStructOps(source, name);
      await loadStructOps(source, name);
      expect(await yielding()).toContain(name);
      await unloadStructOps((listed) => listed === name);
      expect(await yielding()).not.toContain(name);
    }, 60_000);

    it.each(['net_admin', 'sys_admin'])(
      'only paces as root without %s',
      async (capability) => {
        const { edge, url, printed } = await startServing(['setpriv', `--bounding-set=-${capability}`]);
        expect(printed).toContain(`--yield: only paces, root without CAP_${capability.toUpperCase()}\n`);
        expect(await readControl(url)).not.toMatch(/^yield/);
        await end(edge, 'SIGTERM');
        expect(await yielding()).not.toContain(`yield${edge.pid}`);
      },
      90_000,
    );

    it('leaves nothing behind if a signal ends it during startup', async () => {
      // The origin does not answer, so that the edge has loaded its congestion control but does not serve yet.
      const origin = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(origin, 'listening');
      const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
      try {
        const compiling = start(url);
        await vi.waitFor(async () => expect(await temporary()).toHaveLength(1), {
          timeout: STARTS_MS,
          interval: 10,
        });
        await end(compiling.edge, 'SIGTERM');
        expect(compiling.edge.signalCode).toBe('SIGTERM');
        expect(await temporary()).toEqual([]);

        const asking = start(url);
        await once(origin, 'request');
        expect(await yielding()).toContain(`yield${asking.edge.pid}`);
        await end(asking.edge, 'SIGTERM');
        expect(asking.edge.signalCode).toBe('SIGTERM');
        expect(await yielding()).not.toContain(`yield${asking.edge.pid}`);
      } finally {
        origin.closeAllConnections();
        origin.close();
      }
    }, 120_000);
  },
);
