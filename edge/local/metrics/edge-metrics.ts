import { STATUS_CODES } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { millisecondsToSeconds, type Milliseconds } from '../../../src/units.ts';
import { CLIENT_GONE } from '../../origin.ts';
import type { SessionRow } from '../../sessions/beacon.ts';
import type { BeaconOutcome } from '../../sessions/sessions-route.ts';
import type { EdgeStats, RequestArm, ResponseEvent } from '../response-event.ts';
import { VERSION } from '../version.ts';
import { DURATION_S, LATENCY_S, PACE_BPS, RATIO, RTT_S } from './buckets.ts';
import type { Families } from './families.ts';

/** Values that are read when metrics are requested. */
export interface LiveValues {
  readonly stats: () => Readonly<EdgeStats>;
  readonly unwritten: () => { readonly limited: number; readonly dropped: number };
  readonly isSwitchedOff: () => boolean;
  readonly holdout: () => number;
}

/** The outcome of a request to the origin. */
export type OriginOutcome = '2xx' | '3xx' | '4xx' | '5xx' | 'timeout' | 'unreachable' | 'aborted';

/**
 * The maximum number of arms with their own time series. Limited, because operators may choose new names for arms every
 * day.
 */
const MOST_ARMS = 100;

/** The goodput of a shorter paced response is not recorded, because TCP sends the first packets at once. */
const RATIO_FROM_MS = 500;

/** The sampling interval of the event loop's delay, ms. prom-client's default, 10, costs more than all other metrics. */
const EVENT_LOOP_MS = 1000;

const PREFIX = 'dashjs_sammy_edge_';

/**
 * The metrics of one process of the edge, with prom-client. No label has a value that a client chooses, so that hostile
 * requests cannot create time series.
 */
export class EdgeMetrics {
  readonly #registry = new Registry();
  readonly #arms = new Set<string>();
  readonly #responses = this.#counter('responses_total', 'Responses.', 'status', 'reason');
  readonly #incomplete = this.#counter(
    'incomplete_responses_total',
    'Responses cut before their end.',
    'cut_by',
  );
  readonly #bodyBytes = this.#counter('body_bytes_total', 'Body bytes handed to the kernel.');
  readonly #completeBytes = this.#counter(
    'complete_body_bytes_total',
    'Body bytes of complete responses.',
    'paced',
  );
  readonly #completeSeconds = this.#counter(
    'complete_response_seconds_total',
    'Time from the requests of complete responses until their clients had them.',
    'paced',
  );
  readonly #duration = this.#histogram(
    'response_duration_seconds',
    'Time from a request until its client had the response.',
    DURATION_S,
    'paced',
  );
  readonly #firstByte = this.#histogram(
    'first_byte_seconds',
    'Time from a request until its response began.',
    LATENCY_S,
  );
  readonly #asked = this.#histogram('asked_pace_bits_per_second', 'Pace that requests asked for.', PACE_BPS);
  readonly #applied = this.#histogram('applied_pace_bits_per_second', 'Pace of paced responses.', PACE_BPS);
  readonly #ratio = this.#histogram(
    'goodput_pace_ratio',
    'Goodput over pace of complete responses of at least 0.5 s that kept their pace.',
    RATIO,
  );
  readonly #rtt = this.#histogram(
    'rtt_seconds',
    'Smoothed round-trip time at the end of a response.',
    RTT_S,
    'paced',
  );
  readonly #sent = this.#counter(
    'tcp_sent_bytes_total',
    'Bytes that TCP sent, with retransmissions.',
    'paced',
  );
  readonly #retransmitted = this.#counter(
    'tcp_retransmitted_bytes_total',
    'Bytes that TCP retransmitted.',
    'paced',
  );
  readonly #originRequests = this.#counter('origin_requests_total', 'Requests to the origin.', 'outcome');
  readonly #originSeconds = this.#histogram(
    'origin_response_seconds',
    'Time until the response headers of the origin arrive.',
    LATENCY_S,
  );
  readonly #beacons = this.#counter(
    'beacons_total',
    'Beacons of sessions, by what became of them.',
    'outcome',
  );
  readonly #assigned = this.#arm(
    'assigned_requests_total',
    'Requests that were told an arm of an experiment.',
  );
  readonly #sessions = this.#arm('sessions_total', 'Sessions of experiments whose first beacon is stored.');
  readonly #armBytes = this.#arm(
    'arm_complete_body_bytes_total',
    'Body bytes of complete responses, by arm.',
  );
  readonly #armSeconds = this.#arm(
    'arm_complete_response_seconds_total',
    'Time of complete responses, by arm.',
  );
  readonly #armSent = this.#arm('arm_tcp_sent_bytes_total', 'Bytes that TCP sent, by arm.');
  readonly #armRetransmitted = this.#arm(
    'arm_tcp_retransmitted_bytes_total',
    'Bytes that TCP retransmitted, by arm.',
  );
  readonly #armEnded = this.#arm(
    'arm_ended_sessions_total',
    'Sessions whose final beacon is stored, by arm.',
  );
  readonly #armRebuffers = this.#arm('arm_rebuffers_total', 'Rebuffers that final beacons tell, by arm.');
  readonly #armRtt = this.#histogram(
    'arm_rtt_seconds',
    'Smoothed round-trip time at the end of a response, by arm.',
    RTT_S,
    'experiment',
    'arm',
  );

  constructor(live: LiveValues) {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: EVENT_LOOP_MS });
    const { stats, unwritten } = live;
    this.#gauge('connections', 'Connections open now.', () => stats().connections);
    this.#gauge(
      'pacing_switched_off',
      '1 while pacing is switched off.',
      () => Number(live.isSwitchedOff()),
      'max',
    );
    this.#gauge('holdout_ratio', 'Share of sessions that are held out.', () => live.holdout(), 'max');
    this.#read(
      'refused_connections_total',
      'Connections refused because too many were open.',
      () => stats().refusedConnections,
    );
    this.#read('limited_log_lines_total', 'Log lines held back by the limit.', () => unwritten().limited);
    this.#read(
      'dropped_log_lines_total',
      'Log lines whose reader was too slow or gone.',
      () => unwritten().dropped,
    );
    new Gauge({
      name: `${PREFIX}build_info`,
      help: 'The version of the edge and of Node; always 1.',
      labelNames: ['version', 'node'],
      registers: [this.#registry],
      aggregator: 'max',
    }).set({ version: VERSION, node: process.versions.node }, 1);
  }

  response(event: ResponseEvent): void {
    const { status, reason, pace_kbps: pace, asked_kbps: asked, bytes, tcp, complete } = event;
    const paced = String(pace !== null);
    const seconds = millisecondsToSeconds(event.duration_ms);
    const isKnown = String(status) in STATUS_CODES || status === CLIENT_GONE;
    this.#responses.inc({ status: isKnown ? String(status) : 'other', reason });
    this.#bodyBytes.inc(bytes);
    this.#firstByte.observe(millisecondsToSeconds(event.first_byte_ms));
    this.#sent.inc({ paced }, event.sent_bytes);
    this.#retransmitted.inc({ paced }, event.retransmitted_bytes);
    if (asked !== null) this.#asked.observe(asked * 1000);
    if (pace !== null) this.#applied.observe(pace * 1000);
    if (tcp) this.#rtt.observe({ paced }, millisecondsToSeconds(tcp.rtt));
    if (event.cut_by) this.#incomplete.inc({ cut_by: event.cut_by });
    if (complete) {
      this.#completeBytes.inc({ paced }, bytes);
      this.#completeSeconds.inc({ paced }, seconds);
      this.#duration.observe({ paced }, seconds);
      if (pace !== null && event.kept_pace && event.duration_ms >= RATIO_FROM_MS)
        this.#ratio.observe((bytes * 8) / seconds / (pace * 1000));
    }
    if (event.arm) this.#responseOfArm(this.#getLabels(event.arm), event);
  }

  origin(outcome: OriginOutcome, time: Milliseconds): void {
    this.#originRequests.inc({ outcome });
    this.#originSeconds.observe(millisecondsToSeconds(time));
  }

  assigned(arm: RequestArm): void {
    this.#assigned.inc(this.#getLabels(arm));
  }

  beacon(outcome: BeaconOutcome, row?: SessionRow): void {
    this.#beacons.inc({ outcome });
    if (outcome !== 'stored' || typeof row?.experiment !== 'string') return;
    const labels = this.#getLabels({ experiment: row.experiment, arm: row.arm as RequestArm['arm'] });
    if (row.sequence === 0) this.#sessions.inc(labels);
    if (row.final !== true || typeof row.rebuffer_count !== 'number' || row.rebuffer_count < 0) return;
    this.#armEnded.inc(labels);
    this.#armRebuffers.inc(labels, row.rebuffer_count);
  }

  families(): Promise<Families> {
    return this.#registry.getMetricsAsJSON();
  }

  #responseOfArm(labels: Record<string, string>, event: ResponseEvent): void {
    this.#armSent.inc(labels, event.sent_bytes);
    this.#armRetransmitted.inc(labels, event.retransmitted_bytes);
    if (event.tcp) this.#armRtt.observe(labels, millisecondsToSeconds(event.tcp.rtt));
    if (!event.complete) return;
    this.#armBytes.inc(labels, event.bytes);
    this.#armSeconds.inc(labels, millisecondsToSeconds(event.duration_ms));
  }

  #getLabels({ experiment, arm }: RequestArm): Record<string, string> {
    const name = `${experiment} ${arm}`;
    if (this.#arms.size < MOST_ARMS) this.#arms.add(name);
    return this.#arms.has(name) ? { experiment, arm } : { experiment: 'other', arm: 'other' };
  }

  #counter(name: string, help: string, ...labelNames: string[]): Counter {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
  }

  #arm(name: string, help: string): Counter {
    return this.#counter(name, help, 'experiment', 'arm');
  }

  #histogram(name: string, help: string, buckets: number[], ...labelNames: string[]): Histogram {
    return new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers: [this.#registry] });
  }

  #gauge(name: string, help: string, read: () => number, aggregator: 'sum' | 'max' = 'sum'): void {
    new Gauge({
      name: PREFIX + name,
      help,
      aggregator,
      registers: [this.#registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Registers a counter whose value is read from elsewhere. */
  #read(name: string, help: string, read: () => number): void {
    new Counter({
      name: PREFIX + name,
      help,
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
