import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openLog } from '../logging/log.ts';
import { serve } from './serve.ts';
import { readSettings } from './settings.ts';

const DOWNLOADS = 200;
const BYTES = 500_000;

it('reloads ten times during 200 paced downloads, and interrupts none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-reload-long-'));
  writeFileSync(join(folder, '1.m4s'), new Uint8Array(BYTES));
  const args = ['--origin', folder, '--port', '0'];
  const service = await serve(await readSettings(args), null, openLog({ format: 'text', level: 'error' }));
  const agent = new Agent({ keepAlive: true });
  const download = async (): Promise<number> => {
    const [response] = (await once(get(`${service.url}/1.m4s?CMCD=rtp%3D1000`, { agent }), 'response')) as [
      IncomingMessage,
    ];
    let received = 0;
    for await (const chunk of response) received += (chunk as Buffer).length;
    return received;
  };
  try {
    const downloads = Array.from({ length: DOWNLOADS }, download);
    let underWay = DOWNLOADS;
    for (const each of downloads) void each.then(() => (underWay -= 1));
    for (let round = 0; round < 10; round++) {
      await sleep(200);
      const pacing = round % 2 === 0 ? 'off' : 'on';
      const options = [
        '--pacing',
        pacing,
        '--ceiling-kbps',
        String(1000 + round * 100),
        '--holdout',
        '5%',
        '--log-level',
        'error',
      ];
      service.reload((await readSettings([...args, ...options])).live);
      if (round === 0) expect(underWay).toBe(DOWNLOADS);
    }
    expect(await Promise.all(downloads)).toEqual(Array.from({ length: DOWNLOADS }, () => BYTES));
  } finally {
    agent.destroy();
    await service.close();
    rmSync(folder, { recursive: true });
  }
}, 120_000);
