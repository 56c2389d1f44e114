import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUSY_ATTEMPTS } from '../../../network/measure/machine/busy-rule.ts';
import { ENDED_EARLY, type RunOutcome } from '../../../harness/runs/study.ts';
import type { Course, Part } from '../trial-player.ts';
import { apart, overTcp, type PlayOne } from './over-tcp.ts';
import type { SessionSpec } from './session-spec.ts';

const busy = { kind: 'busy', reason: 'other programs took 40.0% of the machine' } as const;
const failed: RunOutcome = { kind: 'failed', reason: 'HTTP 404' };
const finished: RunOutcome = { kind: 'finished' };

const course: Course = {
  film: '/film',
  channel: 'Film',
  longest_s: 10,
  networks: [
    {
      name: 'steady',
      link: { rate: { kind: 'constant', mbps: 4 }, rtt_ms: 40, queue_bytes: 100_000 },
      duration_ms: 1000,
    },
  ],
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trial-lanes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const part = (): Part => ({
  folder: join(folder, 'part-001'),
  arms: [{ code: 'B', expt_id: 2, arm: 'sammy', model: null, explored_pct: 0 }],
  sessions: [{ id: 'day-001/00001', began_ms: 0, network: 0, offset_ms: 250, watch_s: 5, code: 'B' }],
});

/** What is in the part's folder. */
const kept = () => ({
  names: readdirSync(join(folder, 'part-001')).sort(),
  record: JSON.parse(readFileSync(join(folder, 'part-001', 'session.json'), 'utf8')) as unknown,
});

/** A lane whose sessions have these outcomes, one after the other, the specs that it played, and what it said. */
async function laneOf(outcomes: readonly RunOutcome[], signal = new AbortController().signal) {
  const specs: SessionSpec[] = [];
  const said: string[] = [];
  const playOne: PlayOne = (spec) => {
    const outcome = outcomes[specs.length];
    specs.push(spec);
    if (!outcome) throw new Error('played too often');
    mkdirSync(spec.folder, { recursive: true });
    // A later attempt finds nothing of an earlier one.
    expect(readdirSync(spec.folder)).toEqual([]);
    writeFileSync(join(spec.folder, 'video_sent.parquet'), '');
    writeFileSync(join(spec.folder, 'session.json'), JSON.stringify({ attempt: specs.length }));
    return Promise.resolve(outcome);
  };
  const writer = await overTcp({ print: ({ task }) => said.push(task), playOne }).open(course, 1);
  return { lane: { write: (of: Part) => writer.write(of, signal) }, specs, said };
}

describe('a lane over TCP', () => {
  it('plays the drawn session on its network, in the arm of its letter', async () => {
    const { lane, specs, said } = await laneOf([finished]);
    await lane.write(part());
    expect(readdirSync(folder)).toEqual(['part-001']);
    expect(specs).toMatchObject([
      {
        course: { film: '/film', channel: 'Film', longest_s: 10 },
        traced: { name: 'steady' },
        session: { id: 'day-001/00001', offset_ms: 250, watch_s: 5 },
        arm: { arm: 'sammy', code: 'B' },
        repeated: [],
      },
    ]);
    expect(said).toEqual([]);
  });

  it('plays again what the machine was busy in, and in the end keeps no tables of it, but the reason', async () => {
    const { lane, specs, said } = await laneOf([busy, finished]);
    await lane.write(part());
    expect(kept()).toEqual({ names: ['session.json', 'video_sent.parquet'], record: { attempt: 2 } });
    expect(specs[1]?.repeated).toEqual(['busy: other programs took 40.0% of the machine']);
    expect(said).toEqual(['Again: session day-001/00001: busy: other programs took 40.0% of the machine']);

    const always = await laneOf(Array.from({ length: BUSY_ATTEMPTS }, () => busy));
    rmSync(join(folder, 'part-001'), { recursive: true });
    await always.lane.write(part());
    expect(kept()).toEqual({
      names: ['session.json'],
      record: { attempt: BUSY_ATTEMPTS, left_out: busy.reason },
    });
  });

  it('gives up what fails again and again, in one line, and leaves nothing of it', async () => {
    const { lane } = await laneOf([failed, busy, failed, failed]);
    await expect(lane.write(part())).rejects.toThrow('session day-001/00001 failed 3 times: HTTP 404');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing of a session that was cut off, and begins none afterwards', async () => {
    const ending = new AbortController();
    const { lane, specs } = await laneOf([{ kind: 'failed', reason: ENDED_EARLY }], ending.signal);
    await lane.write(part());
    expect(readdirSync(folder)).toEqual([]);
    ending.abort();
    await lane.write(part());
    expect(specs.length).toBe(1);
    expect(existsSync(join(folder, 'part-001'))).toBe(false);
  });
});

describe('sessions of several lanes', () => {
  const spec = {} as SessionSpec;

  it('begin apart, however many are asked for at once', async () => {
    const began_ms: number[] = [];
    const playOne = apart(() => {
      began_ms.push(performance.now());
      return Promise.resolve(finished);
    }, 100);
    const { signal } = new AbortController();
    const since_ms = performance.now();
    await Promise.all([playOne(spec, signal), playOne(spec, signal), playOne(spec, signal)]);
    // A timer may be 1 ms early.
    expect(began_ms.map((each_ms, index) => each_ms - since_ms > 100 * index - 2)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('do not begin after the trial has ended', async () => {
    const ending = new AbortController();
    const playOne = apart(() => Promise.resolve(finished), 60_000);
    expect(await playOne(spec, ending.signal)).toEqual(finished);
    const waiting = playOne(spec, ending.signal);
    ending.abort();
    expect(await waiting).toEqual({ kind: 'failed', reason: ENDED_EARLY });
  });
});
