import { document } from '../../ground/drawing/document.ts';
import { html, type Markup } from '../../ground/drawing/html.ts';
import { table } from '../../ground/drawing/table.ts';
import { COMPARED, TOLERATED } from './closed-loop.ts';
import type { Validation } from './validate.ts';

/** Limitations of the simulator that make some results unreliable, whatever the tables show. */
const LIMITATIONS = [
  'Delays below a few milliseconds: there are no packets, no slots of the emulator and no scheduler; a queue is a fluid.',
  'Retransmissions and dropped packets as numbers: losses are of whole round trips, and a loss that the fluid shares evenly hits one flow alone on a real link.',
  'One session of stock dash.js at rates between its rungs: its fast switch replaces the segment that plays, again and again, and a few percent of the first throughput decide which way that goes; the lab has both ways too.',
  'Stalls on links of less than 1 Mbit/s whose queue holds a few seconds of video: timers of TCP decide there.',
  'Play delay and the first picture within some 50 ms: page, manifest and decoder are constants.',
  'Queues of a few packets (below 15 kB): a window of ten does not fit, and TCP lives on timers there.',
  'Neighbors, bursts, the P4 switch, codecs, the processor: there are none.',
] as const;

/** A share of Infinity means that there were no downloads. */
const pct = (share: number): string => (share < Infinity ? `${(100 * share).toFixed(1)}%` : 'none');
const figure = (value: number): string => String(Number(value.toPrecision(4)));

const formatTolerance = (metric: (typeof COMPARED)[number]): string => {
  const tolerated = TOLERATED[metric];
  if (!tolerated) return '';
  return tolerated.share === undefined ? String(tolerated.most ?? 0) : pct(tolerated.share);
};

/** Formats the lines for the terminal. */
export function validationLines({ folder, open, closed, signs, skipped }: Validation): string[] {
  const claimed = closed.filter(({ within }) => within !== null);
  const off = claimed.filter(({ within }) => within === false);
  return [
    folder,
    ...open.map(
      ({ cell, downloads, median, p90 }) =>
        `  open loop    ${cell}: ${downloads} downloads, error median ${pct(median)}, 90th percentile ${pct(p90)}`,
    ),
    `  closed loop  ${claimed.length - off.length} of ${claimed.length} figures within what is tolerated`,
    ...off.map(
      ({ cell, metric, lab, simulated }) =>
        `    off        ${cell}: ${metric} ${figure(simulated)}, in the lab ${figure(lab)}`,
    ),
    ...(signs.length > 0
      ? [
          `  signs        ${signs.filter(({ agrees }) => agrees).length} of ${signs.length} agree where the lab's interval excludes 0`,
        ]
      : []),
    ...(skipped.length > 0
      ? [
          `  skipped      ${skipped.length} runs: ${[...new Set(skipped.map(({ reason }) => reason))].join('; ')}`,
        ]
      : []),
  ];
}

/** Renders a page with all values side by side. */
export const renderValidation = (validations: readonly Validation[]): string =>
  document(
    'simulator against lab',
    html`<h1>The simulator against the lab</h1>
      <section>
        <h2>What must not be believed</h2>
        <ul>
          ${LIMITATIONS.map((each) => html`<li>${each}</li>`)}
        </ul>
      </section>
      ${validations.map(section)}`,
  );

const section = (validation: Validation): Markup =>
  html`<section>
    <h2>${validation.experiment}</h2>
    <p class="note">${validation.folder}</p>
    ${openTable(validation)} ${closedTable(validation)} ${signTable(validation)}
    ${validation.skipped.length === 0 ? undefined : html`<p>Skipped: ${validation.skipped.map(({ run, reason }) => `${run} (${reason})`).join(', ')}.</p>`}
  </section>`;

const openTable = ({ open }: Validation): Markup =>
  html`<h3>Open loop: the lab's requests at the lab's times</h3>
    ${table(
      [
        'cell',
        'video downloads',
        'error of the download time, median',
        '90th percentile',
        'began in the trace at, s',
      ],
      open.map(({ cell, downloads, median, p90, offsets_ms }) => [
        cell,
        String(downloads),
        pct(median),
        pct(p90),
        offsets_ms.map((each) => each / 1000).join(', '),
      ]),
    )}`;

const closedTable = ({ closed }: Validation): Markup =>
  html`<h3>Closed loop: the same sessions, means</h3>
    ${table(
      ['cell', 'metric', 'lab', 'simulated', 'difference', 'tolerated', 'within'],
      closed.map(({ cell, metric, lab, simulated, within }) => [
        cell,
        metric,
        figure(lab),
        figure(simulated),
        figure(simulated - lab),
        formatTolerance(metric),
        within === null ? '' : within ? 'yes' : 'no',
      ]),
    )}`;

const signTable = ({ signs }: Validation): Markup | undefined =>
  signs.length === 0
    ? undefined
    : html`<h3>Which is better, where the lab's interval excludes 0</h3>
        ${table(
          ['treatment', 'control', 'metric', 'lab, %', 'simulated, %', 'agrees'],
          signs.map(({ treatment, control, metric, lab_change_pct, simulated_change_pct, agrees }) => [
            treatment,
            control,
            metric,
            figure(lab_change_pct),
            simulated_change_pct === null ? '' : figure(simulated_change_pct),
            agrees ? 'yes' : 'no',
          ]),
        )}`;
