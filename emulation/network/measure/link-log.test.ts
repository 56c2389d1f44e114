import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLinkLog, type LinkLogOptions } from './link-log.ts';

const HEADER = [
  '# mahimahi mm-link (Downlink) [down] > log',
  "# command line: 'mm-link' 'up' 'down'",
  '# queue: droptail [bytes=3000]',
  '# init timestamp: 1000000',
  '# base timestamp: 35',
  '# mahimahi config: [delay 2 ms] ',
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-log-'));
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (lines: readonly string[], options: Partial<LinkLogOptions> = {}) => {
  const file = join(folder, 'log');
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  return readLinkLog(file, { origin_ms: 1_000_000, until_ms: 1_000_300, ...options });
};

describe('readLinkLog', () => {
  it('computes the position in the trace at the origin', async () => {
    // The trace began 35 ms after the log.
    expect((await read(HEADER, { origin_ms: 1_002_035 })).traceAt_ms).toBe(2000);
    const withoutBase = HEADER.filter((line) => !line.includes('base'));
    expect(await read(withoutBase)).not.toHaveProperty('traceAt_ms');
  });

  it('counts departures, delays and queued packets', async () => {
    const { rows, totals } = await read([
      ...HEADER,
      '45 # 1504',
      '50 + 1504',
      '52 + 752',
      '95 # 1504',
      '95 - 1504 45',
      '105 # 1504',
      '105 - 752 53',
      '190 + 100',
      '215 # 1504',
      '215 - 100 25',
    ]);
    expect(rows).toEqual([
      { t_s: 0, departed_bytes: 1504, dropped_packets: 0, queue_delay_ms: 45, queue_bytes: 752 },
      { t_s: 0.1, departed_bytes: 752, dropped_packets: 0, queue_delay_ms: 53, queue_bytes: 100 },
      { t_s: 0.2, departed_bytes: 100, dropped_packets: 0, queue_delay_ms: 25, queue_bytes: 0 },
    ]);
    expect(totals).toEqual({
      queue_delay_mean_ms: 41,
      queue_delay_p95_ms: 53,
      arrived_packets: 3,
      departed_packets: 3,
      dropped_packets: 0,
      departed_bytes: 2356,
      offered_bytes: 4 * 1504,
    });
  });

  it('detects drops by later departures: another ms, or another size in the same ms', async () => {
    const { rows, totals } = await read([
      ...HEADER,
      '10 + 1504',
      '11 + 1504',
      // The next two packets do not fit into the queue; the small one does.
      '12 + 1504',
      '13 + 1504',
      '13 + 52',
      '110 # 1504',
      '110 - 1504 100',
      '120 # 1504',
      '120 - 1504 109',
      '130 # 1504',
      '130 - 52 117',
    ]);
    expect(rows.map((row) => row.dropped_packets)).toEqual([2, 0, 0]);
    expect(rows.map((row) => row.queue_bytes)).toEqual([3060, 0, 0]);
    expect(totals.dropped_packets).toBe(2);
    expect(totals.arrived_packets).toBe(totals.departed_packets + totals.dropped_packets);
  });

  it('detects drops at the end by an unused delivery opportunity', async () => {
    const tail = ['20 + 1504', '21 + 1504', '30 # 1504', '30 - 1504 10'];
    const stillQueued = await read([...HEADER, ...tail]);
    expect(stillQueued.totals.dropped_packets).toBe(0);
    expect(stillQueued.rows.map((row) => row.queue_bytes)).toEqual([1504, 1504, 1504]);
    const dropped = await read([...HEADER, ...tail, '40 # 1504']);
    expect(dropped.totals.dropped_packets).toBe(1);
    expect(dropped.rows.map((row) => row.queue_bytes)).toEqual([0, 0, 0]);
    const later = await read([...HEADER, ...tail, '40 # 1504', '41 + 1504']);
    expect(later.totals.dropped_packets).toBe(1);
    expect(later.rows[0]?.queue_bytes).toBe(1504);
  });

  it('ignores the drop events of later versions of mahimahi', async () => {
    const lines = ['10 + 1504', '11 + 1504', '11 d 1 1504', '20 # 1504', '20 - 1504 10', '30 # 1504'];
    expect((await read([...HEADER, ...lines])).totals.dropped_packets).toBe(1);
  });

  it('counts rows from the origin, and totals only within their window', async () => {
    const lines = [
      ...HEADER,
      '50 + 1000',
      '60 # 1504',
      '60 - 1000 10',
      '140 + 500',
      '160 # 1504',
      '160 - 500 20',
      '290 + 500',
      '310 # 1504',
      '310 - 500 20',
    ];
    const { rows, totals } = await read(lines, { origin_ms: 1_000_100, from_ms: 1_000_150 });
    expect(rows.map((row) => row.t_s)).toEqual([0, 0.1]);
    expect(rows.map((row) => row.departed_bytes)).toEqual([500, 0]);
    expect(rows.map((row) => row.queue_delay_ms)).toEqual([20, null]);
    expect(rows.map((row) => row.queue_bytes)).toEqual([0, 500]);
    expect(totals).toMatchObject({ departed_packets: 1, queue_delay_mean_ms: 20, offered_bytes: 1504 });
  });

  it('has no delay if no packet left', async () => {
    const { totals } = await read([...HEADER, '45 # 1504']);
    expect(totals).toMatchObject({
      queue_delay_mean_ms: null,
      queue_delay_p95_ms: null,
      departed_packets: 0,
    });
  });

  it('takes the 95th percentile by nearest rank', async () => {
    // 20 packets with delays of 1 to 20 ms, so the percentile is the 19th smallest.
    const arrivals = Array.from({ length: 20 }, () => '10 + 75');
    const departures = Array.from({ length: 20 }, (_, index) => [
      `${11 + index} # 1504`,
      `${11 + index} - 75 ${1 + index}`,
    ]);
    const { totals } = await read([...HEADER, ...arrivals, ...departures.flat()]);
    expect(totals.queue_delay_p95_ms).toBe(19);
    expect(totals.queue_delay_mean_ms).toBe(10.5);
  });

  it('ignores an incomplete last line', async () => {
    const file = join(folder, 'cut');
    await writeFile(file, [...HEADER, '10 + 100', '20 # 1504', '20 - 1'].join('\n'));
    const { totals } = await readLinkLog(file, { origin_ms: 1_000_000, until_ms: 1_000_100 });
    expect(totals).toMatchObject({ arrived_packets: 1, departed_packets: 0 });
  });

  it('agrees with a simulated queue', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ wait: fc.nat(3), size: fc.integer({ min: 40, max: 1504 }) }), {
          maxLength: 200,
        }),
        fc.integer({ min: 1504, max: 6000 }),
        async (packets, limit) => {
          const emulated = emulate(packets, limit);
          const { rows, totals } = await read([...HEADER, ...emulated.lines], { until_ms: 1_001_000 });
          expect(totals.dropped_packets).toBe(emulated.dropped);
          expect(totals.arrived_packets).toBe(packets.length);
          expect(totals.departed_packets + totals.dropped_packets).toBe(packets.length);
          expect(rows.map((row) => row.queue_bytes)).toEqual(emulated.queued.slice(0, rows.length));
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['10 + ten', 'line 7: expected a number instead of "ten"'],
    ['10 +', 'line 7: expected a number'],
    ['10 - 1504', 'line 7: expected an event of mm-link'],
    ['10 ? 1504', 'line 7: expected an event of mm-link'],
    ['', 'line 7: expected'],
    ['20 - 1504 10', 'line 7: expected a departure of a packet that had arrived at 10'],
  ])('refuses %j', async (line, message) => {
    await expect(read([...HEADER, line])).rejects.toThrow(message);
  });

  it('refuses a file that is not a log of mm-link', async () => {
    await expect(read([])).rejects.toThrow('is not a log of mm-link: it has no init timestamp');
    await expect(read(['# hello', '10 + 100'])).rejects.toThrow("line 2: expected mm-link's header");
  });
});

/**
 * Simulates a drop-tail queue with an opportunity every 2 ms, and writes its log as mm-link does: opportunities at a
 * time precede arrivals at the same time.
 */
function emulate(packets: readonly { wait: number; size: number }[], limit: number) {
  const lines: string[] = [];
  const queue: { time: number; size: number; left: number }[] = [];
  const queued: number[] = [];
  let dropped = 0;
  const bytes = () => queue.reduce((sum, packet) => sum + packet.size, 0);
  const arrivals = packets.map(({ size }, index) => ({
    size,
    time: packets.slice(0, index + 1).reduce((sum, { wait }) => sum + wait, 0),
  }));
  for (let now = 0; now < 1000; now += 1) {
    if (now > 0 && now % 100 === 0) queued.push(bytes());
    if (now > 0 && now % 2 === 0) {
      lines.push(`${now} # 1504`);
      for (let left = 1504; left > 0 && queue[0];) {
        const head = queue[0];
        const sent = Math.min(left, head.left);
        head.left -= sent;
        left -= sent;
        if (head.left > 0) break;
        queue.shift();
        lines.push(`${now} - ${head.size} ${now - head.time}`);
      }
    }
    for (const { size } of arrivals.filter(({ time }) => time === now)) {
      lines.push(`${now} + ${size}`);
      if (bytes() + size > limit) dropped += 1;
      else queue.push({ time: now, size, left: size });
    }
  }
  queued.push(bytes());
  return { lines, dropped, queued };
}
