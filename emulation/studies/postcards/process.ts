import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureTraffic } from '../../../buffers/traffic/measure-traffic.ts';
import { asJson } from '../../../system/replace-files.ts';
import { firstServed } from '../../ground/programs/first-served.ts';
import { nearestRank } from '../../ground/statistics/percentiles.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';
import { findLateReason } from '../../network/measure/machine/late-rule.ts';
import { postcardRun, type PostcardResult } from './run-spec.ts';

/** A path of 8 Mbit/s and 40 ms RTT, with a queue of two bandwidth-delay products. */
const PATH = { rate_bit_s: 8e6, rtt_ms: [40], queue: { packets: 53, at: 'tail' as const } };

firstServed();
serveRun(postcardRun, async ({ scheme, control, isReported, seconds, from_s, folder }, closing) => {
  const flow = {
    congestion_control: control,
    start_s: 0,
    rtt_class: 0,
    bytes: null,
    paced: false,
    ecn: false,
  };
  const measured = await closing.until((signal) =>
    measureTraffic({ ...PATH, flows: [flow], seconds, from_s }, signal, { isReported }),
  );
  const { acks, before, after, origin_s, device } = measured;
  const bytes = (after[0]?.acked_bytes ?? 0) - (before[0]?.acked_bytes ?? 0);
  const rtts = acks.events
    .filter(({ t_ms }) => t_ms >= (origin_s + from_s) * 1000)
    .map(({ srtt_ms }) => srtt_ms);
  const srtt_p95_ms = nearestRank(rtts, 0.95);
  if (srtt_p95_ms === null) return { kind: 'failed', reason: 'the kernel recorded no ACK' };
  const lateness_p99_ms = device.lateness.p99 / 1000;
  const result: PostcardResult = {
    ...{ scheme, isReported, srtt_p95_ms, lateness_p99_ms },
    throughput_mbps: (bytes * 8) / ((seconds - from_s) * 1e6),
  };
  writeFileSync(join(folder, 'result.json'), asJson(result));
  const late = findLateReason(lateness_p99_ms);
  return late === undefined ? { kind: 'finished' } : { kind: 'busy', reason: late };
});
