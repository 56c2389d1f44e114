import { document } from '../../ground/drawing/document.ts';
import { formatDate } from '../../ground/drawing/format.ts';
import { html, type Markup } from '../../ground/drawing/html.ts';
import type { Manifest } from '../runs/manifest.ts';

/** The head of a study's report. */
interface Frame {
  /** The title; by default the study's name. */
  readonly title?: string;
  readonly lead: string;
  /** Pairs of term and text about the runs, shown before the facts from the manifest. */
  readonly facts?: readonly (readonly [term: string, text: string])[];
  /** Replaces the manifest's kernel version. */
  readonly kernel?: string | undefined;
}

/**
 * Renders the page of a study's report: a head with the command, the code, the time and the machine, and then `body`.
 */
export function studyPage(
  { command, commit, kernel, started, ended = null, experiment }: Manifest,
  { title = experiment.name, lead, facts = [], kernel: other = kernel }: Frame,
  body: Markup,
): string {
  const entries: (readonly [string, string | Markup])[] = [
    ...facts,
    ['Command', html`<code>${command}</code>`],
    ['Commit', html`<code>${commit}</code>`],
    ['When', formatDate(started)],
    ['Kernel', other],
  ];
  return document(
    title,
    html`<header>
        <p class="kicker">dashjs-sammy lab · ${experiment.figure}</p>
        <h1>${title}</h1>
        <p class="lead">${lead}</p>
        ${ended === null ? html`<p class="caution">Unfinished: the figures below contain only the finished runs.</p>` : undefined}
        <dl>
          ${entries.map(
            ([term, value]) =>
              html`<div>
                <dt>${term}</dt>
                <dd>${value}</dd>
              </div>`,
          )}
        </dl>
      </header>
      ${body}`,
  );
}
