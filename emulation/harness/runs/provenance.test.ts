import { expect, it } from 'vitest';
import type { Manifest } from './manifest.ts';
import { resumedBy } from './provenance.ts';

const before = { commit: 'a1', versions: { film: 'Bunny', node: '20' } } as unknown as Manifest;

it('lists the commits that made some of the runs, and only the first video', () => {
  expect(resumedBy(before, before).commit).toBe('a1');
  const again = resumedBy(before, { commit: 'b2', versions: { film: 'Bunny' } });
  expect(again.commit).toBe('a1, then b2');
  expect(resumedBy(again, { commit: 'b2', versions: { film: 'Bunny' } }).commit).toBe('a1, then b2');
  expect(() => resumedBy(before, { commit: 'a1', versions: { film: 'noise' } })).toThrow(
    /have the video Bunny, but the video is now noise/,
  );
});
