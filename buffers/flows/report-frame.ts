import { document } from '../../emulation/ground/drawing/document.ts';
import { formatDate } from '../../emulation/ground/drawing/format.ts';
import { html, type Markup } from '../../emulation/ground/drawing/html.ts';
import type { Settings } from '../../emulation/harness/runs/study.ts';
import type { Manifest } from '../../emulation/harness/runs/manifest.ts';
import type { LinkSize } from './link-size.ts';

/** What the report of an experiment of flows says of itself before its figures. */
interface Frame {
  readonly lead: string;
  /** What the figures of an unfinished experiment are of. */
  readonly of?: string;
  readonly runs: readonly [term: string, text: string];
  /** Behind what is said of every link. */
  readonly link?: string;
  readonly packet?: string;
  /** Instead of the machine's. */
  readonly kernel?: string | undefined;
}

/** The page of an experiment of flows: what was run by whom and over which link, and then `body`. */
export function flowsPage(
  { command, commit, kernel, started, ended = null, experiment }: Manifest<Settings & LinkSize>,
  frame: Frame,
  body: Markup,
): string {
  const { name, figure, rate_bit_s, base_rtt_ms, bdp_packets } = experiment;
  const { lead, of = 'what is there', runs, link = '', packet = '1514 bytes' } = frame;
  const entry = (term: string, value: string | Markup) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`;
  return document(
    name,
    html`<header>
        <p class="kicker">dashjs-sammy lab · ${figure}</p>
        <h1>${name}</h1>
        <p class="lead">${lead}</p>
        ${ended === null ? html`<p class="caution">Unfinished: every figure below is of ${of}.</p>` : undefined}
        <dl>
          ${entry(...runs)}
          ${entry(
            'Link',
            `${rate_bit_s / 1e6} Mbit/s of Ethernet frames, base RTT ${base_rtt_ms} ms, BDP ${bdp_packets.toFixed(1)} packets of ${packet}${link}`,
          )}
          ${entry('Command', html`<code>${command}</code>`)} ${entry('Commit', html`<code>${commit}</code>`)}
          ${entry('When', formatDate(started))} ${entry('Kernel', frame.kernel ?? kernel)}
        </dl>
      </header>
      ${body}`,
  );
}
