import { expect, it } from 'vitest';
import { PAPER_LINK } from '../../../network/links/link.ts';
import { describeLink } from './describe-link.ts';

it('describes a link with all requested properties', () => {
  expect(describeLink(PAPER_LINK)).toBe('40 Mbit/s, 5 ms RTT, drop-tail queue of 100 kB');
  expect(
    describeLink({
      ...PAPER_LINK,
      rate: { kind: 'poisson', mbps: 40 },
      jitter_ms: 1,
      loss: 0.01,
      threshold: { packets: 30, action: 'mark' },
      weights: [3, 1],
    }),
  ).toBe(
    '40 Mbit/s in the mean with exponential times (Poisson), 5 ms RTT with 1 ms of jitter each way, drop-tail queue ' +
      "of 100 kB that marks (ECN) above 30 packets, 3 to 1 between the video's queue and that of all others, 1% loss each way",
  );
});
