import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytes, kbps, milliseconds } from '../../../src/units.ts';
import type { SessionRow } from '../../sessions/beacon.ts';
import { responseEvent } from '../../testing/response-event.ts';
import { noStats, type ResponseEvent } from '../response-event.ts';
import { EdgeMetrics } from './edge-metrics.ts';
import { addCounters, printFamilies } from './families.ts';
import { workerFamilies } from './worker-families.ts';

const createMetrics = (stats = noStats()): EdgeMetrics =>
  new EdgeMetrics({
    stats: () => stats,
    unwritten: () => ({ limited: 7, dropped: 1 }),
    isSwitchedOff: () => false,
    holdout: () => 0.05,
  });

const response = (pace: number | null, length: number, duration: number, complete = true): ResponseEvent =>
  responseEvent({
    pace_kbps: pace === null ? null : kbps(pace),
    reason: pace === null ? 'no-rtp' : 'requested',
    bytes: bytes(length),
    duration_ms: milliseconds(duration),
    complete,
    kept_pace: pace !== null,
    cut_by: complete ? null : 'client',
  });

const printLines = async (...metrics: EdgeMetrics[]): Promise<string[]> =>
  (await printFamilies(await Promise.all(metrics.map((each) => each.families())))).split('\n');

it('prints the metrics in Prometheus’s text format', async () => {
  const metrics = createMetrics({ ...noStats(), connections: 3, refusedConnections: 1 });
  metrics.response(response(5000, 1000, 1500));
  metrics.response(response(9000, 500, 500));
  metrics.response(response(null, 70, 250));
  metrics.response(response(null, 9999, 9999, false));
  // 312,500 bytes in 500 ms are 5 Mbit/s, at a pace of 6 Mbit/s.
  metrics.response(response(6000, 312_500, 500));
  // The pace of this response was changed, so its goodput says nothing about the pace.
  metrics.response({ ...response(400, 312_500, 500), kept_pace: false });
  metrics.response(responseEvent({ status: 502, reason: 'error-response' }));
  metrics.response(responseEvent({ status: 499, reason: 'error-response' }));
  const control = { experiment: 'holdout', arm: 'control' } as const;
  metrics.response(responseEvent({ arm: control, sent_bytes: bytes(3000), retransmitted_bytes: bytes(200) }));
  metrics.assigned(control);
  metrics.beacon('too-long');
  metrics.beacon('stored', { sequence: 0, final: false, ...control } as unknown as SessionRow);
  metrics.beacon('stored', {
    sequence: 1,
    final: true,
    rebuffer_count: 2,
    ...control,
  } as unknown as SessionRow);
  metrics.origin('timeout', milliseconds(10_000));
  const lines = await printLines(metrics);
  for (const sample of [
    'responses_total{status="200",reason="requested"} 4',
    'responses_total{status="502",reason="error-response"} 1',
    'responses_total{status="499",reason="error-response"} 1',
    'incomplete_responses_total{cut_by="client"} 1',
    'complete_body_bytes_total{paced="true"} 626500',
    'complete_response_seconds_total{paced="true"} 3',
    'goodput_pace_ratio_bucket{le="0.8"} 2',
    'goodput_pace_ratio_bucket{le="0.85"} 3',
    'goodput_pace_ratio_count 3',
    'connections 3',
    'refused_connections_total 1',
    'limited_log_lines_total 7',
    'dropped_log_lines_total 1',
    'holdout_ratio 0.05',
    'pacing_switched_off 0',
    'beacons_total{outcome="too-long"} 1',
    'sessions_total{experiment="holdout",arm="control"} 1',
    'arm_ended_sessions_total{experiment="holdout",arm="control"} 1',
    'arm_rebuffers_total{experiment="holdout",arm="control"} 2',
    'arm_tcp_retransmitted_bytes_total{experiment="holdout",arm="control"} 200',
    'assigned_requests_total{experiment="holdout",arm="control"} 1',
    'origin_requests_total{outcome="timeout"} 1',
    `build_info{version="0.1.0",node="${process.versions.node}"} 1`,
  ])
    expect(lines).toContain(`dashjs_sammy_edge_${sample}`);
  expect(lines.some((line) => line.startsWith('process_cpu_seconds_total '))).toBe(true);
});

it('adds the counters of several processes, without the gauges of ended processes', async () => {
  const [one, other] = [
    createMetrics({ ...noStats(), connections: 2 }),
    createMetrics({ ...noStats(), connections: 1 }),
  ];
  one.response(response(5000, 1000, 1500));
  other.response(response(5000, 500, 500));
  expect(await printLines(one, other)).toEqual(
    expect.arrayContaining([
      'dashjs_sammy_edge_responses_total{status="200",reason="requested"} 2',
      'dashjs_sammy_edge_complete_body_bytes_total{paced="true"} 1500',
      'dashjs_sammy_edge_connections 3',
      'dashjs_sammy_edge_holdout_ratio 0.05',
    ]),
  );
  const ended = await addCounters([await one.families(), await other.families()]);
  const own = await workerFamilies({ running: 2, replaced: 1 });
  const text = await printFamilies([
    ended,
    await createMetrics({ ...noStats(), connections: 4 }).families(),
    own,
  ]);
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'dashjs_sammy_edge_complete_body_bytes_total{paced="true"} 1500',
      'dashjs_sammy_edge_connections 4',
      'dashjs_sammy_edge_workers 2',
      'dashjs_sammy_edge_replaced_workers_total 1',
    ]),
  );
});

it('has a bounded number of time series for any behavior of clients, origins and operators', async () => {
  const metrics = createMetrics();
  const hostile = fc.record({
    method: fc.string(),
    url: fc.string(),
    client: fc.ipV6(),
    request: fc.string(),
    connection: fc.string(),
    status: fc.integer({ min: 100, max: 999 }),
    bytes: fc.nat().map(bytes),
    pace_kbps: fc.option(fc.integer({ min: 1, max: 1e9 }).map(kbps)),
    asked_kbps: fc.option(fc.integer({ min: 1, max: 1e9 }).map(kbps)),
    arm: fc.record({ experiment: fc.string({ minLength: 3 }), arm: fc.constantFrom('control', 'treatment') }),
  });
  for (const fields of fc.sample(hostile, 5000)) {
    metrics.response(responseEvent(fields));
    metrics.assigned(fields.arm);
  }
  const samples = (await printLines(metrics)).filter((line) => line !== '' && !line.startsWith('#'));
  // 63 statuses, 101 arms with 23 samples each (5 counters, and 18 samples of a histogram), and fewer than 400 others.
  expect(samples.length).toBeLessThan(63 + 101 * 23 + 400);
  expect(samples.filter((line) => line.includes('experiment="other"')).length).toBeGreaterThan(0);
});
