import { setTimeout as sleep } from 'node:timers/promises';
import { EdgeMetrics } from '../edge/local/metrics/edge-metrics.ts';
import { noStats } from '../edge/local/response-event.ts';
import { responseEvent } from '../edge/testing/response-event.ts';
import { bytes, kbps, milliseconds } from '../src/units.ts';

/**
 * The processor time of the Node edge's metrics: of one response, of one scrape, and of what prom-client samples meanwhile;
 * together, for 200 viewers of 2 Mbit/s with segments of 1 MB and a scrape every 15 s.
 */
const RESPONSES = 100_000;
const SCRAPES = 200;
const IDLE_S = 10;
const RESPONSES_PER_S = (200 * 2e6) / 8e6;
const SCRAPES_PER_S = 1 / 15;

const cpu_us = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

await sleep(1000);
const beforeIdle = cpu_us();
await sleep(IDLE_S * 1000);
const idleWithout = (cpu_us() - beforeIdle) / IDLE_S;

const metrics = new EdgeMetrics({
  stats: noStats,
  unwritten: () => ({ limited: 0, dropped: 0 }),
  isSwitchedOff: () => false,
  holdout: () => 0.05,
});
await sleep(1000);
const beforeSampling = cpu_us();
await sleep(IDLE_S * 1000);
const sampling = Math.max(0, (cpu_us() - beforeSampling) / IDLE_S - idleWithout);

const event = responseEvent({
  pace_kbps: kbps(2000),
  asked_kbps: kbps(2000),
  reason: 'requested',
  bytes: bytes(1_000_000),
  duration_ms: milliseconds(4000),
  arm: { experiment: 'holdout', arm: 'treatment' },
});
for (let count = 0; count < RESPONSES; count++) metrics.response(event);
const beforeResponses = cpu_us();
for (let count = 0; count < RESPONSES; count++) metrics.response(event);
const perResponse = (cpu_us() - beforeResponses) / RESPONSES;
const beforeScrapes = cpu_us();
for (let count = 0; count < SCRAPES; count++) await metrics.families();
const perScrape = (cpu_us() - beforeScrapes) / SCRAPES;

const sum = perResponse * RESPONSES_PER_S + perScrape * SCRAPES_PER_S + sampling;
console.log(`one response: ${perResponse.toFixed(1)} us; one scrape: ${perScrape.toFixed(0)} us`);
console.log(`sampling of the process: ${sampling.toFixed(0)} us per second`);
console.log(`together: ${(sum / 10_000).toFixed(3)}% of a core`);
