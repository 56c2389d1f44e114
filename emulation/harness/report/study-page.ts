import { document } from '../../ground/drawing/document.ts';
import { formatDate } from '../../ground/drawing/format.ts';
import { html, type Markup } from '../../ground/drawing/html.ts';
import type { Manifest } from '../runs/manifest.ts';

/** What the report of a study says of itself before its figures. */
interface Frame {
  /** The study's name when not given. */
  readonly title?: string;
  readonly lead: string;
  /** What was run, by terms, before what the manifest says. */
  readonly facts?: readonly (readonly [term: string, text: string])[];
  /** Instead of the machine's. */
  readonly kernel?: string | undefined;
}

/** The page of a study's report: what was run, by which code, when and where, and then `body`. */
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
        ${ended === null ? html`<p class="caution">Unfinished: every figure below is of what is there.</p>` : undefined}
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
