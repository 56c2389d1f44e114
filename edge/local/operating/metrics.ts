import { millisecondsToSeconds } from '../../../src/units.ts';
import type { EdgeStats, ResponseEvent } from '../response-event.ts';

/** What an edge has done, as Prometheus reads it (text format 0.0.4). Counters begin at 0 with the process. */
export class Metrics {
  readonly #sent = { true: { bytes: 0, seconds: 0 }, false: { bytes: 0, seconds: 0 } };

  /** Bytes over seconds is the goodput of paced and of unpaced responses; one that broke off tells nothing of it. */
  note({ pace_kbps, bytes, duration_ms, complete }: ResponseEvent): void {
    if (!complete) return;
    const sent = this.#sent[`${pace_kbps !== null}`];
    sent.bytes += bytes;
    sent.seconds += millisecondsToSeconds(duration_ms);
  }

  print(stats: Readonly<EdgeStats>): string {
    const reasons = Object.entries(stats.reasons).map(([reason, count]): Sample => [{ reason }, count]);
    const sent = Object.entries(this.#sent);
    return [
      family('responses_total', 'counter', 'Responses, by the reason of their pace.', reasons),
      family(
        'incomplete_responses_total',
        'counter',
        'Responses whose client went away, or whose body failed.',
        [[{}, stats.incomplete]],
      ),
      family('body_bytes_total', 'counter', 'Body bytes that were handed to the kernel.', [
        [{}, stats.bytes],
      ]),
      family(
        'complete_body_bytes_total',
        'counter',
        'Body bytes of complete responses.',
        sent.map(([paced, { bytes }]) => [{ paced }, bytes]),
      ),
      family(
        'complete_response_seconds_total',
        'counter',
        'Time from the requests of complete responses until their clients had them.',
        sent.map(([paced, { seconds }]) => [{ paced }, seconds]),
      ),
      family('connections', 'gauge', 'Connections open now.', [[{}, stats.connections]]),
      family('refused_connections_total', 'counter', 'Connections refused because too many were open.', [
        [{}, stats.refusedConnections],
      ]),
    ].join('');
  }
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  const full = `dashjs_sammy_edge_${name}`;
  const lines = samples.map(([labels, value]) => `${full}${printLabels(labels)} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`;
}

function printLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}
