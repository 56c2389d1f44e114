import type { SessionSettings } from '../../../player/records/session-settings.ts';
import type { ViewersName } from '../../../player/records/viewers.ts';
import { listCells } from '../../../player/records/cells.ts';
import { keepObservations, variationText } from '../observations.ts';
import { VERDICT_WORDS } from '../../../player/records/margins.ts';
import { givenUpSentences } from '../given-up.ts';
import { sentences } from '../sentence.ts';
import type { ReportData } from '../report-data.ts';
import { formatDate } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { machineCautions } from './machine.ts';
import { describeLink } from './describe-link.ts';

/** The most sentences on the first screen. The table of verdicts has all results. */
const MOST_SENTENCES = 6;

/** Renders the question, the number of finished runs, and the answer. */
export function header(data: ReportData): Markup {
  const { experiment } = data.manifest;
  return html`<header>
    <p class="kicker">dashjs-sammy lab · ${experiment.figure}</p>
    <h1>${experiment.name}</h1>
    <p class="lead">${experiment.about}</p>
    ${answer(data)} ${givenUp(data)} ${unfinished(data)} ${busy(data)} ${machineCautions(data)}
    ${repeated(data)}
  </header>`;
}

function answer(data: ReportData): Markup | undefined {
  const all = sentences(data);
  if (all.length === 0) return undefined;
  return html`<ul class="answer">
      ${all.slice(0, MOST_SENTENCES).map((each) => html`<li>${each}</li>`)}
    </ul>
    <p class="note">
      Brackets show 95% intervals. ${VERDICT_WORDS}
      ${all.length > MOST_SENTENCES ? `${all.length - MOST_SENTENCES} more are below.` : undefined}
    </p>`;
}

const givenUp = (data: ReportData): Markup =>
  html`${givenUpSentences(data).map((each) => html`<p class="caution">${each}</p>`)}`;

/** Renders the settings and versions with which the experiment was run. */
export function howItWasRun(data: ReportData): Markup {
  const { manifest } = data;
  const { experiment } = manifest;
  return html`<section>
    <h2>How it was run</h2>
    <dl>
      ${entry('Sessions', sessionsText(data))} ${entry('Varied', variationText(experiment, data.records))}
      ${entry('Link', linkText(experiment))} ${entry('Server', experiment.congestionControl)}
      ${entry('Neighbor', experiment.neighbor)}
      ${entry('Viewers', experiment.viewers && WITHOUT_BROWSER[experiment.viewers])}
      ${entry('Buffer target', experiment.buffer_s === undefined ? undefined : `${experiment.buffer_s} s`)}
      ${entry('Command', html`<code>${manifest.command}</code>`)}
      ${entry('Commit', html`<code>${manifest.commit}</code>`)} ${entry('Seed', manifest.seed)}
      ${entry('When', timeText(data))} ${entry('Kernel', manifest.kernel)}
      ${entry(
        'Versions',
        Object.entries(manifest.versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(' · '),
      )}
    </dl>
  </section>`;
}

const WITHOUT_BROWSER: Readonly<Partial<Record<ViewersName, string>>> = {
  light: 'light: without a browser, the plug-in in a model of dash.js, over the same TCP',
  page: 'page: without a browser, dash.js itself',
};

const entry = (name: string, value: Markup | string | number | undefined): Markup | undefined =>
  value === undefined || value === ''
    ? undefined
    : html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`;

function unfinished({ manifest, records }: ReportData): Markup | undefined {
  const asked = listCells(manifest.experiment).length * manifest.experiment.runs;
  if (records.length >= asked) return undefined;
  return html`<p class="caution">
    Unfinished: ${records.length} of ${asked} runs. Every figure below is of those ${records.length}; the same
    command with <code>--resume</code> runs the rest.
  </p>`;
}

/**
 * The load from which programs of neighbors and players have been observed to wait for a processor instead of the link.
 */
const BUSY_PCT = 85;

function busy({ records }: ReportData): Markup | undefined {
  const { length } = records.filter(({ machine_busy_pct }) => machine_busy_pct > BUSY_PCT);
  if (length === 0) return undefined;
  return html`<p class="caution">
    During ${length} of ${records.length} runs the machine was more than ${BUSY_PCT}% busy (see Calibration),
    and some of the delay measured is its own: trust the signs, not the last digits. Fewer
    <code>--jobs</code> help.
  </p>`;
}

function repeated({ records }: ReportData): Markup | undefined {
  const repetitions = records.length - keepObservations(records).length;
  if (repetitions === 0) return undefined;
  return html`<p class="note">
    ${repetitions} of ${records.length} runs are others again to the last digit, since a simulation has no
    chance but what is varied. Such runs are one observation: n counts it once, and fewer than three have no
    interval.
  </p>`;
}

function sessionsText({ manifest: { experiment }, records }: ReportData): string {
  const { arms, conditions, runs, seconds } = experiment;
  const [control = '', ...treatments] = arms;
  const under = conditions
    ? ` under ${conditions.length} conditions, ${listCells(experiment).length} cells`
    : '';
  const made = `${runs === 1 ? 'one run' : `${runs} runs`} of ${seconds} s`;
  // The results of runs in virtual time do not depend on the order of the runs.
  const order = records.some(({ simulated }) => simulated) ? 'in virtual time' : 'in random order';
  return treatments.length === 0
    ? `${made} of ${control}${under}, ${order}`
    : `${made} for each of ${arms.length} arms${under}, ${order}: control ${control}, against ${treatments.join(', ')}`;
}

function linkText({ link, conditions = [] }: SessionSettings): string {
  const links = conditions.flatMap((condition) => condition.link ?? []);
  return links.length === 0 ? describeLink(link) : 'its own under each condition (see Calibration)';
}

const timeText = ({ manifest }: ReportData): string =>
  formatDate(manifest.started) + (manifest.ended ? ` to ${formatDate(manifest.ended)}` : ', not ended');
