import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENDED_EARLY, type RunOutcome } from '../../../harness/runs/study.ts';
import type { TrialSetup, Part } from '../part.ts';
import { spaceStarts, discardSession, overTcp } from './over-tcp.ts';
import type { SessionSpec } from './session-spec.ts';

const finished: RunOutcome = { kind: 'finished' };

const course: TrialSetup = {
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

const part: Part = {
  arms: [{ code: 'B', expt_id: 2, arm: 'sammy-paper', model: null, explored_pct: 0 }],
  sessions: [{ id: 'day-001/00001', began_ms: 0, network: 0, offset_ms: 250, watch_s: 5, code: 'B' }],
};

describe('a session over TCP', () => {
  it('plays the drawn session on its network, in the arm of its letter', async () => {
    const specs: SessionSpec[] = [];
    const play = overTcp(course, (spec) => {
      specs.push(spec);
      return Promise.resolve(finished);
    });
    expect(await play(part, '/part', new AbortController().signal)).toEqual(finished);
    expect(specs).toMatchObject([
      {
        course: { film: '/film', channel: 'Film', longest_s: 10 },
        traced: { name: 'steady' },
        session: { id: 'day-001/00001', offset_ms: 250, watch_s: 5 },
        arm: { arm: 'sammy-paper', code: 'B' },
        folder: '/part',
      },
    ]);
  });

  it('for which the machine was always busy has no tables, but the reason', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trial-part-'));
    try {
      writeFileSync(join(folder, 'video_sent.parquet'), '');
      writeFileSync(join(folder, 'part.json'), JSON.stringify({ arm: 'B' }));
      discardSession(folder, 'busy: other programs took 40.0% of the machine');
      expect(readdirSync(folder)).toEqual(['part.json']);
      expect(JSON.parse(readFileSync(join(folder, 'part.json'), 'utf8'))).toEqual({
        arm: 'B',
        left_out: 'busy: other programs took 40.0% of the machine',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('sessions of several lanes', () => {
  const spec = {} as SessionSpec;

  it('start some time apart, however many are requested at once', async () => {
    const began_ms: number[] = [];
    const playOne = spaceStarts(() => {
      began_ms.push(performance.now());
      return Promise.resolve(finished);
    }, 100);
    const { signal } = new AbortController();
    const since_ms = performance.now();
    await Promise.all([playOne(spec, signal), playOne(spec, signal), playOne(spec, signal)]);
    // A timer may fire 1 ms early.
    expect(began_ms.map((each_ms, index) => each_ms - since_ms > 100 * index - 2)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('do not start after the trial has ended', async () => {
    const ending = new AbortController();
    const playOne = spaceStarts(() => Promise.resolve(finished), 60_000);
    expect(await playOne(spec, ending.signal)).toEqual(finished);
    const waiting = playOne(spec, ending.signal);
    ending.abort();
    expect(await waiting).toEqual({ kind: 'failed', reason: ENDED_EARLY });
  });
});
