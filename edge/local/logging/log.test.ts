import { describe, expect, it, vi } from 'vitest';
import { milliseconds } from '../../../src/units.ts';
import { responseEvent } from '../../testing/response-event.ts';
import { jsonLines } from './json-lines.ts';
import { openLog, type LogOptions } from './log.ts';
import { textLines } from './text-lines.ts';

/** Creates a log with the clock `at.ms`, and collects its lines. */
function logged(options: Partial<LogOptions> = {}) {
  const [responses, problems]: [string[], string[]] = [[], []];
  const to = (list: string[]) => ({ write: (text: string) => void list.push(text) });
  const lines =
    options.format === 'json'
      ? jsonLines(to(responses))
      : textLines({ responses: to(responses), problems: to(problems) });
  const at = { ms: 0 };
  const log = openLog({ format: 'text', level: 'info', lines, now: () => milliseconds(at.ms), ...options });
  return { log, at, responses, problems };
}

// Characters that HTTP/2 allows in paths, which Node decodes as Latin-1, and characters from origins, files and
// experiments.
const HOSTILE = '/a\u0085b\u009b31m\u2028c\u202ed\x1b[2J\ud800e\n/f';

it('escapes characters that control a terminal or look like a new line, in both formats', () => {
  for (const format of ['text', 'json'] as const) {
    const { log, responses, problems } = logged({ format });
    log.response(responseEvent({ url: HOSTILE }));
    log.warn(`GET ${HOSTILE}: broken`);
    const written = [...responses, ...problems];
    expect(written).toHaveLength(2);
    for (const line of written) {
      expect(line.endsWith('\n')).toBe(true);
      expect(line.slice(0, -1)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(line).toContain('u{9b}31m');
    }
  }
});

it('escapes paths that look like further fields', () => {
  const { log, responses } = logged();
  log.response(responseEvent({ url: '/x 200 rtp=9 pace=9 requested?CMCD=y' }));
  expect(responses).toEqual(['/x%20200%20rtp=9%20pace=9%20requested 200 rtp=- pace=- no-rtp 1.0 kB 10 ms\n']);
});

it('writes JSON with time, level, client and request id, and without the query', () => {
  const { log, responses } = logged({ format: 'json' });
  log.response(responseEvent({ url: '/1.m4s?token=secret', request: 'r-7' }));
  const [line = ''] = responses;
  expect(line).not.toContain('secret');
  const { time, ...record } = JSON.parse(line) as { time: string };
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
  expect(record).toMatchObject({
    level: 'info',
    msg: 'response',
    request: 'r-7',
    client: '192.0.2.1',
    path: '/1.m4s',
    status: 200,
    reason: 'no-rtp',
  });
});

describe('a level', () => {
  it.each([
    ['info', 3, 2],
    ['warn', 1, 2],
    ['error', 0, 1],
  ] as const)('of %s', (level, ofResponses, ofProblems) => {
    const { log, responses, problems } = logged({ level });
    log.response(responseEvent());
    log.response(responseEvent({ status: 502 }));
    log.info('started');
    log.warn('odd');
    log.error('broken');
    expect([responses.length, problems.length]).toEqual([ofResponses, ofProblems]);
  });
});

describe('while the origin is out', () => {
  it('writes at most ten lines in any second, reports the number of suppressed lines, and suppresses no successful response', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { log, at, responses, problems } = logged();
    const stamps: number[] = [];
    const written = () => responses.length + problems.length;
    // 200 requests per second for a minute. Each fails and causes a warning.
    for (let count = 0; count < 12_000; count++) {
      const before = written();
      log.warn(`GET /${count}: the origin cannot be reached`);
      log.response(responseEvent({ status: 502, url: `/${count}` }));
      vi.advanceTimersByTime(5);
      at.ms += 5;
      for (let line = before; line < written(); line++) stamps.push(at.ms);
    }
    const most = Math.max(...stamps.map((from) => stamps.filter((t) => t >= from && t < from + 1000).length));
    expect(most).toBeLessThanOrEqual(10);
    expect(most).toBeGreaterThan(3);
    const held = problems.flatMap((line) => /^(\d+) warnings and (\d+) failed/.exec(line)?.slice(1) ?? []);
    // All suppressed lines except those of the last ten seconds are reported.
    const told = held.reduce((sum, count) => sum + Number(count), 0);
    expect(told).toBeGreaterThan(0.75 * log.unwritten.limited);
    expect(log.unwritten.limited + stamps.length - held.length / 2).toBe(24_000);
    const before = responses.length;
    for (let count = 0; count < 100; count++) log.response(responseEvent());
    expect(responses.length - before).toBe(100);
    vi.useRealTimers();
  });

  it('shares the limit among processes', () => {
    const { log, at, problems } = logged({ writers: 4 });
    for (at.ms = 0; at.ms < 20_000; at.ms += 10) log.warn('the origin cannot be reached');
    // One of four processes may write 0.5 lines per second, so 10 lines in 20 s.
    expect(problems.length).toBeLessThan(13);
    expect(problems.length).toBeGreaterThan(8);
  });
});
