import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../system/free-port.ts';
import { openLog } from '../../local/logging/log.ts';
import { printFamilies } from '../../local/metrics/families.ts';
import { startOperatorServer } from '../../local/operating/operator-server.ts';
import { serve } from '../../local/operating/serve.ts';
import { readSettings } from '../../local/operating/settings.ts';

/** The size of the origin's segments, of 2 s at 1.6 Mbit/s. */
const SEGMENT_BYTES = 400_000;
const READY_WITHIN_MS = 60_000;

/** Registers a function that stops a part of the setup. Registered functions are called in order of registration. */
export type OnClose = (end: () => unknown) => void;

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults?: { readonly unit?: string } };
  /** The options of a text variable. */
  readonly options?: { readonly content?: string };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat?: string }[];
}

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

export const { panels } = JSON.parse(read('dashboard.json')) as { panels: readonly Panel[] };

/** Returns a query of the dashboard as Grafana sends it for all edges. */
export const queryOver = (expression: string, interval: string): string =>
  expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', interval);

/**
 * Starts an edge that holds out a share of sessions, such as '50%', and stores session reports. Its origin fails for
 * `/broken`.
 */
export async function startObservedEdge(
  folder: string,
  holdout: string,
  onClose: OnClose,
): Promise<{ readonly url: string; readonly operator: string }> {
  const origin = createServer((message, response) => {
    if (message.url?.startsWith('/broken')) message.socket.destroy();
    else response.end(Buffer.alloc(SEGMENT_BYTES));
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  onClose(() => origin.close());
  const address = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const options = ['--port', '0', '--holdout', holdout, '--sessions', join(folder, 'sessions')];
  const settings = await readSettings(['--origin', address, ...options]);
  const service = await serve(settings, null, openLog({ format: 'text', level: 'error' }));
  onClose(() => service.close());
  const operator = await startOperatorServer({
    host: '127.0.0.1',
    port: 0,
    getDownReason: () => null,
    metrics: async () => printFamilies((await service.snapshot()).processes),
  });
  onClose(() => operator.close());
  return { url: service.url, operator: new URL(operator.url).host };
}

/**
 * Starts a Prometheus with the configuration of this folder that scrapes the target (`HOST:PORT`) every second. Returns
 * the URL of Prometheus.
 */
export async function startPrometheus(
  program: string,
  target: string,
  folder: string,
  onClose: OnClose,
): Promise<string> {
  const file = join(folder, 'prometheus.yml');
  const configuration = read('prometheus.yml')
    .replace('15s', '1s')
    .replace('alerts.yaml', join(import.meta.dirname, 'alerts.yaml'))
    .replace('127.0.0.1:9464', target);
  writeFileSync(file, configuration);
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(program, [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]);
  child.stdout.resume();
  child.stderr.resume();
  onClose(() => child.kill('SIGKILL'));
  const isReady = async () => (await fetch(`http://${address}/-/ready`).catch(() => null))?.ok === true;
  const began = performance.now();
  while (!(await isReady())) {
    if (performance.now() - began > READY_WITHIN_MS)
      throw new Error('Prometheus is not ready after a minute');
    await sleep(200);
  }
  return `http://${address}`;
}
