import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { curlHttp3 } from './curl-http3.ts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'curl-http3-'))));
afterAll(() => rmSync(folder, { recursive: true }));

// A fake curl that prints the output for two responses. The long tests use a real curl with HTTP/3.
it.skipIf(process.platform === 'win32')(
  "parses curl's output: times in ms, goodput from the first byte",
  async () => {
    const told = (bytes: number) =>
      JSON.stringify({
        ...{ http_code: 206, size_download: bytes, errormsg: bytes < 1e6 ? 'timed out' : null },
        ...{ time_pretransfer: 0.25, time_starttransfer: 0.5, time_total: 2.5 },
      });
    const curl = join(folder, 'curl');
    const printed = [1e6, 250_000].map(
      (bytes) => `${told(bytes)}\n{"server-timing":["pace","tcp-rtt;dur=5"]}\n\n`,
    );
    writeFileSync(curl, `#!/bin/sh\nprintf '%s' '${printed.join('')}'\n`);
    chmodSync(curl, 0o755);
    const answers = await curlHttp3([curl], [{ url: 'https://127.0.0.1/1' }, { url: 'https://127.0.0.1/2' }]);
    expect(answers.map(({ status, bytes, time }) => [status, bytes, time])).toEqual([
      [206, 1e6, 2250],
      [206, 250_000, 2250],
    ]);
    // 8,000 and 2,000 kbit arrive in the two seconds after the first byte.
    expect(answers.map(({ goodput }) => goodput)).toEqual([4000, 1000]);
    expect(answers.map(({ error }) => error)).toEqual([null, 'timed out']);
    expect(answers[0]?.header('Server-Timing')).toBe('pace, tcp-rtt;dur=5');
  },
);
