import type { Snapshot } from './snapshot.ts';

/** An edge's counters in Prometheus's text format 0.0.4. They begin at 0 when the process starts. */
export function printMetrics({ stats, goodput, experiments, workers }: Snapshot): string {
  const reasons = Object.entries(stats.reasons).map(([reason, count]): Sample => [{ reason }, count]);
  const { paced, unpaced } = goodput;
  const byPaced = (of: (sent: typeof paced) => number): Sample[] => [
    [{ paced: 'true' }, of(paced)],
    [{ paced: 'false' }, of(unpaced)],
  ];
  return [
    family('responses_total', 'counter', 'Responses, by the reason of their pace.', reasons),
    family(
      'incomplete_responses_total',
      'counter',
      'Responses whose client went away, or whose body failed.',
      only(stats.incomplete),
    ),
    family('body_bytes_total', 'counter', 'Body bytes that were handed to the kernel.', only(stats.bytes)),
    family(
      'complete_body_bytes_total',
      'counter',
      'Body bytes of complete responses.',
      byPaced(({ bytes }) => bytes),
    ),
    family(
      'complete_response_seconds_total',
      'counter',
      'Time from the requests of complete responses until their clients had them.',
      byPaced(({ seconds }) => seconds),
    ),
    family('connections', 'gauge', 'Connections open now.', only(stats.connections)),
    family(
      'refused_connections_total',
      'counter',
      'Connections refused because too many were open.',
      only(stats.refusedConnections),
    ),
    ...experimentFamilies(experiments),
    ...(workers ? workerFamilies(workers) : []),
  ].join('');
}

const workerFamilies = ({ running, replaced }: NonNullable<Snapshot['workers']>): string[] => [
  family('workers', 'gauge', 'Processes that take requests.', only(running)),
  family('replaced_workers_total', 'counter', 'Processes that died and were replaced.', only(replaced)),
];

const experimentFamilies = ({ beacons, requests, sessions }: Snapshot['experiments']): string[] => [
  family(
    'beacons_total',
    'counter',
    'Beacons of sessions, by what became of them.',
    Object.entries(beacons).map(([outcome, count]): Sample => [{ outcome }, count]),
  ),
  family(
    'assigned_requests_total',
    'counter',
    'Requests that were told an arm of an experiment.',
    byArm(requests),
  ),
  family(
    'sessions_total',
    'counter',
    'Sessions of experiments whose first beacon is stored.',
    byArm(sessions),
  ),
];

/** An arm's name is its experiment's and its own; neither has a space. */
const byArm = (counts: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(counts).map(([name, count]) => {
    const [experiment = '', arm = ''] = name.split(' ');
    return [{ experiment, arm }, count];
  });

const only = (value: number): Sample[] => [[{}, value]];

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
