import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Sidecar } from '../../film/sidecar.ts';
import { seconds } from '../../units.ts';
import { sidecar } from './sidecar.ts';

const FILM: Sidecar = {
  version: 1,
  segment_duration_s: [2],
  representations: { low: { segment_bytes: [1000], segment_ssim_db: [12] } },
};
const FIRST = [{ start: 0, duration: 2, size: 1000, ssim_db: 12 }];
const firstSegment = (sizes: ReturnType<typeof sidecar>) => sizes.upcoming('low', seconds(0), seconds(2));

/** Makes the server send a response. */
let answer: (response: Response) => Promise<void>;
beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = async (response) => {
          resolve(response);
          await new Promise(setImmediate);
        };
      }),
  );
});
afterEach(() => vi.restoreAllMocks());

it('has the segments of a given sidecar at once, and names the invalid field of another object', () => {
  expect(firstSegment(sidecar(FILM))).toEqual(FIRST);
  expect(fetch).not.toHaveBeenCalled();
  expect(() => sidecar({ ...FILM, segment_duration_s: [0] })).toThrow('sidecar.segment_duration_s is 0');
});

it('has the segments of a URL when it has been fetched', async () => {
  const warn = vi.fn();
  const sizes = sidecar('/a', { warn });
  expect(firstSegment(sizes)).toBeUndefined();
  await answer(Response.json(FILM));
  expect(firstSegment(sizes)).toEqual(FIRST);
  expect(warn).not.toHaveBeenCalled();
});

it.each([
  ['is not there', {}, 404, 'sidecar /a: HTTP status 404'],
  ['is no sidecar', { version: 2 }, 200, 'sidecar /a: sidecar.version is 2, expected 1'],
])('returns nothing for a URL that %s, with a warning', async (_, body, status, message) => {
  const warn = vi.fn();
  const sizes = sidecar('/a', { warn });
  await answer(Response.json(body, { status }));
  expect(firstSegment(sizes)).toBeUndefined();
  expect(warn).toHaveBeenCalledExactlyOnceWith(message);
});
