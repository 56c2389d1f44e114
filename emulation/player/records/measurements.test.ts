import { expect, it } from 'vitest';
import type { CompletedDecision, SessionSummary } from '../../../src/index.ts';
import type { LinkTotals } from '../../network/measure/link-log.ts';
import type { Retransmits } from '../../network/measure/retransmits.ts';
import type { Calibration } from '../../network/links/calibrate.ts';
import { computeMetrics, replacementsAbandoned } from './measurements.ts';
import type { Played } from './play.ts';

const measured = (summary: Partial<SessionSummary>, buffer: Played['buffer'] = []) =>
  computeMetrics(
    { summary: { rebuffer_ratio: 0, ...summary }, buffer, decisions: [] } as unknown as Played,
    {} as LinkTotals,
    { rtt_median_ms: 7.5, rtt_p95_ms: 9 },
    {} as Retransmits,
    { rtt_ms: 6.5 } as Calibration,
  );

it('counts a session that never began to play as one long stall', () => {
  expect(measured({ play_delay_ms: null }).rebuffer_ratio).toBe(1);
  expect(measured({ play_delay_ms: 200 }).rebuffer_ratio).toBe(0);
});

it('measures RTT relative to the idle link, and the buffer from 20 s on', () => {
  const buffer = [
    [19.9, 2],
    [20, 9],
    [20.1, 8],
  ] as unknown as Played['buffer'];
  expect(measured({ play_delay_ms: 200 }, buffer)).toMatchObject({ rtt_above_base_ms: 1, least_buffer_s: 8 });
  expect(measured({ play_delay_ms: 200 }).least_buffer_s).toBeNull();
});

it('counts abandoned downloads of segments that were already buffered', () => {
  const request = (segment_start_s: number, outcome: CompletedDecision['outcome'], media_type = 'video') =>
    ({ segment_start_s, outcome, media_type }) as CompletedDecision;
  const decisions = [
    request(0, 'completed'),
    request(0, 'completed', 'audio'),
    request(2, 'abandoned'),
    request(2, 'completed'),
    request(2, 'abandoned', 'audio'),
    request(0, 'abandoned'),
    request(2, 'failed'),
    request(2, 'abandoned'),
  ];
  expect(replacementsAbandoned(decisions)).toBe(2);
});
