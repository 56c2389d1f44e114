import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const OUTAGE_MS = 60_000;
const CLIENTS = 20;
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

interface Line {
  readonly time: string;
  readonly level: string;
  readonly status?: number;
  readonly msg: string;
}

it.each(['1', '2'])(
  '%s workers log at most ten lines in any second during an outage of the origin of 60 s, and recover afterwards',
  async (workers) => {
    const origin = createServer((_, response) => response.end('media'));
    const listen = async (port: number) => {
      origin.listen(port, '127.0.0.1');
      await once(origin, 'listening');
      return (origin.address() as AddressInfo).port;
    };
    const port = await listen(0);
    const args = [
      '--origin',
      `http://127.0.0.1:${port}`,
      '--port',
      '0',
      '--log-format',
      'json',
      '--workers',
      workers,
    ];
    const edge = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let log = '';
    edge.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
    const lines = (): Line[] =>
      log
        .slice(0, log.lastIndexOf('\n'))
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line);
    try {
      let url = '';
      while (url === '') {
        await once(edge.stdout, 'data');
        url = /serving .* at (http:\/\/[\w.:]+)/.exec(log)?.[1] ?? '';
      }
      const answers: number[] = [];
      let isOver = false;
      const client = async (): Promise<void> => {
        while (!isOver) {
          answers.push((await fetch(`${url}/1.m4s?CMCD=rtp%3D5000`)).status);
          await sleep(50);
        }
      };
      const began = Date.now();
      origin.closeAllConnections();
      origin.close();
      await once(origin, 'close');
      const clients = Array.from({ length: CLIENTS }, client);
      await sleep(OUTAGE_MS);
      isOver = true;
      await Promise.all(clients);
      expect(new Set(answers)).toEqual(new Set([502]));
      expect(answers.length).toBeGreaterThan(OUTAGE_MS / 100);

      const times = lines()
        .map(({ time }) => Date.parse(time))
        .filter((time) => time >= began)
        .sort((a, b) => a - b);
      // The largest number of lines within the second that begins at any of the lines.
      const most = Math.max(
        ...times.map((from) => times.filter((time) => time >= from && time < from + 1000).length),
      );
      expect(most).toBeLessThanOrEqual(10);
      // The log still shows the outage: more than ten lines in each ten seconds.
      for (let from = began; from + 10_000 < began + OUTAGE_MS; from += 10_000)
        expect(times.filter((time) => time >= from && time < from + 10_000).length).toBeGreaterThan(10);
      expect(lines().some(({ msg }) => /\d+ failed responses were not logged/.test(msg))).toBe(true);

      await listen(port);
      await expect.poll(async () => (await fetch(`${url}/1.m4s`)).status).toBe(200);
    } finally {
      edge.kill();
      await once(edge, 'close');
      origin.closeAllConnections();
      origin.close();
    }
  },
  180_000,
);
