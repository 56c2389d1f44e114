import { expect, it } from 'vitest';
import { bytes, kbps, milliseconds } from '../../../src/units.ts';
import type { SessionRow } from '../../sessions/beacon.ts';
import { responseEvent } from '../../testing/response-event.ts';
import { noStats, type ResponseEvent } from '../response-event.ts';
import { ExperimentCounts } from './experiment-counts.ts';
import { Goodput } from './goodput.ts';
import { printMetrics } from './metrics.ts';
import { addSnapshots, NOTHING_DONE } from './snapshot.ts';

const response = (pace: number | null, length: number, duration: number, complete = true): ResponseEvent =>
  responseEvent({
    pace_kbps: pace === null ? null : kbps(pace),
    reason: pace === null ? 'no-rtp' : 'requested',
    bytes: bytes(length),
    duration_ms: milliseconds(duration),
    complete,
  });

it('prints what an edge has done in Prometheus’s text format', () => {
  const goodput = new Goodput();
  goodput.note(response(5000, 1000, 1500));
  goodput.note(response(9000, 500, 500));
  goodput.note(response(null, 70, 250));
  goodput.note(response(null, 9999, 9999, false));
  const stats = { ...noStats(), connections: 3, refusedConnections: 1, incomplete: 1, bytes: 11_569 };
  stats.reasons.requested = 2;
  stats.reasons['refused:malformed'] = 1;
  const experiments = new ExperimentCounts();
  experiments.assigned({ experiment: 'pacing-1', arm: 'treatment' });
  experiments.beacon('too-long');
  const text = printMetrics({ stats, goodput: goodput.sent, experiments: experiments.totals });
  const lines = text.split('\n');
  expect(lines.at(-1)).toBe('');
  for (const sample of [
    'dashjs_sammy_edge_responses_total{reason="requested"} 2',
    'dashjs_sammy_edge_responses_total{reason="refused:malformed"} 1',
    'dashjs_sammy_edge_incomplete_responses_total 1',
    'dashjs_sammy_edge_body_bytes_total 11569',
    'dashjs_sammy_edge_complete_body_bytes_total{paced="true"} 1500',
    'dashjs_sammy_edge_complete_body_bytes_total{paced="false"} 70',
    'dashjs_sammy_edge_complete_response_seconds_total{paced="true"} 2',
    'dashjs_sammy_edge_complete_response_seconds_total{paced="false"} 0.25',
    'dashjs_sammy_edge_connections 3',
    'dashjs_sammy_edge_refused_connections_total 1',
    'dashjs_sammy_edge_beacons_total{outcome="too-long"} 1',
    'dashjs_sammy_edge_assigned_requests_total{experiment="pacing-1",arm="treatment"} 1',
  ])
    expect(lines).toContain(sample);
  // Every family has its help and its type before its samples (Prometheus, text format 0.0.4).
  for (const sample of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
    const name = sample.split(/[ {]/, 1)[0] ?? '';
    const type = lines.findIndex((line) => line.startsWith(`# TYPE ${name} `));
    expect(type, name).toBeGreaterThan(lines.findIndex((line) => line.startsWith(`# HELP ${name} `)));
    expect(type, name).toBeLessThan(lines.indexOf(sample));
    expect(name).toMatch(/^[a-z_]+$/);
  }
});

it('adds up what several processes have done, and says how many there are', () => {
  const [one, other] = [new Goodput(), new Goodput()];
  one.note(response(5000, 1000, 1500));
  other.note(response(5000, 500, 500));
  other.note(response(null, 70, 250));
  const ofOne = { ...noStats(), connections: 2, responses: 1, bytes: 1000, mostWaiting: 5 };
  const ofOther = { ...noStats(), connections: 1, responses: 2, bytes: 570, mostWaiting: 3 };
  ofOne.reasons.requested = 1;
  Object.assign(ofOther.reasons, { requested: 1, 'no-rtp': 1 });
  const [oneCounts, otherCounts] = [new ExperimentCounts(), new ExperimentCounts()];
  const row = { sequence: 0, experiment: 'pacing-1', arm: 'control' } as SessionRow;
  oneCounts.beacon('stored', row);
  otherCounts.beacon('stored', row);
  otherCounts.beacon('stored', { ...row, sequence: 1 });
  otherCounts.beacon('stored', { ...row, experiment: null });
  otherCounts.beacon('invalid');
  const sum = addSnapshots([
    NOTHING_DONE,
    { stats: ofOne, goodput: one.sent, experiments: oneCounts.totals },
    { stats: ofOther, goodput: other.sent, experiments: otherCounts.totals },
  ]);
  expect(sum.stats).toMatchObject({ connections: 3, responses: 3, bytes: 1570, mostWaiting: 5 });
  const lines = printMetrics({ ...sum, workers: { running: 2, replaced: 1 } }).split('\n');
  for (const sample of [
    'dashjs_sammy_edge_responses_total{reason="requested"} 2',
    'dashjs_sammy_edge_responses_total{reason="no-rtp"} 1',
    'dashjs_sammy_edge_complete_body_bytes_total{paced="true"} 1500',
    'dashjs_sammy_edge_complete_response_seconds_total{paced="false"} 0.25',
    'dashjs_sammy_edge_connections 3',
    'dashjs_sammy_edge_beacons_total{outcome="stored"} 4',
    'dashjs_sammy_edge_beacons_total{outcome="invalid"} 1',
    'dashjs_sammy_edge_sessions_total{experiment="pacing-1",arm="control"} 2',
    'dashjs_sammy_edge_workers 2',
    'dashjs_sammy_edge_replaced_workers_total 1',
  ])
    expect(lines).toContain(sample);
});
