import { expect, it } from 'vitest';
import { judge, type Judged } from './judge.ts';

const rtt: Judged = { better: 'less', noticeable: 1, isOfLink: true };
const bitrate: Judged = { better: 'more', noticeable: 100 };

it.each<readonly [string, Judged, [number | null, number | null], boolean, 'better' | 'worse' | null]>([
  ['loopback, whose round trip is noise', rtt, [0.04, 0.09], false, null],
  ['a long round trip without a bottleneck', rtt, [5, 10], false, null],
  ['the queue of a bottleneck', rtt, [18, 6], true, 'better'],
  ['the same the other way', rtt, [6, 18], true, 'worse'],
  ['less than can be noticed', rtt, [5.2, 5.9], true, null],
  ['less than 3%', bitrate, [30_000, 29_200], true, null],
  ['a lower bitrate, also without a bottleneck', bitrate, [3300, 2100], false, 'worse'],
  ['a figure that is missing', bitrate, [null, 2100], true, null],
  ['a figure of which neither direction is better', { better: null, noticeable: 0 }, [1, 2], true, null],
])('judges %s', (_, judged, values, hasBottleneck, verdict) => {
  expect(judge(judged, values, hasBottleneck)).toBe(verdict);
});
