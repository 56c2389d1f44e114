import { describe, expect, it } from 'vitest';
import { hyb } from '../../../src/abr/hyb.ts';
import { makeLadder } from '../../../src/film/ladder.ts';
import { resolveOptions } from '../../../src/options.ts';
import type { PaceInput } from '../../../src/pace/pace.ts';
import { ABR_OPTIONS, createAbrState } from '../../../src/testing/abr-state.ts';
import { seconds } from '../../../src/units.ts';
import { armNamed, arms } from './index.ts';

const ladder = makeLadder([{ id: 'top', bandwidth: 3_000_000 }]);
if (!ladder) throw new Error('no ladder');

const choosePace = (arm: string, phase: PaceInput['phase'], buffer_s: number) => {
  const { pace } = resolveOptions(armNamed(arm).sammy);
  if (typeof pace === 'string') throw new Error(`${arm} has no policy of its own`);
  const state = createAbrState({ ladder, buffer: seconds(buffer_s) });
  const abr = hyb().session(ABR_OPTIONS);
  const [rung] = ladder;
  return pace.choosePace({ phase, state, rung, maxBuffer: seconds(30), abr, carried: [] }).pace;
};

describe('arms', () => {
  it.each(arms)('$name has a unique name that is valid for a folder, and valid options', (arm) => {
    expect(arm.name).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(arms.filter(({ name }) => name === arm.name)).toEqual([arm]);
    expect(() => resolveOptions(arm.sammy)).not.toThrow();
  });

  it('lists the arms when another one is requested', () => {
    expect(() => armNamed('samy-paper')).toThrow(
      /^no arm 'samy-paper' \(Did you mean sammy-paper\?\); there are dashjs, .*sammy/,
    );
  });

  it('naive-4x also paces the initial phase (Sammy §5.5)', () => {
    expect(choosePace('naive-4x', 'initial', 0)).toBe(12_000);
    expect(choosePace('naive-4x', 'playing', 20)).toBe(12_000);
  });

  it('prototype-2023 paces at 2.8 to 1.6 times the top bitrate, depending on how much of 3.2 s is buffered', () => {
    expect(choosePace('prototype-2023', 'initial', 0)).toBeCloseTo(8400, 9);
    expect(choosePace('prototype-2023', 'playing', 1.6)).toBeCloseTo(6600, 9);
    expect(choosePace('prototype-2023', 'recovery', 3.2)).toBeCloseTo(4800, 9);
    expect(choosePace('prototype-2023', 'playing', 30)).toBeCloseTo(4800, 9);
  });
});
