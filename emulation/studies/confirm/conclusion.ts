import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { checkAnySettings, hasManifest, readManifest, THEN } from '../../harness/runs/manifest.ts';
import { readRuns } from '../../player/records/read-runs.ts';
import { cellName } from '../../player/records/run-record.ts';
import { CONFIRM, type ConfirmationSettings, readConfirmationManifest } from './confirmation-settings.ts';
import { type Hypothesis, testHypotheses } from './hypotheses.ts';
import { protocolHash } from './protocol.ts';
import { formatHundredths, formatValue } from '../../ground/drawing/format.ts';
import { metricNamed, spokenUnit } from '../report/report-data.ts';

const FILE = 'confirmation.json';

/** `confirmation.json`: the conclusions that the protocol allows. */
export interface Conclusion {
  readonly protocol: string;
  readonly protocol_sha256: string;
  readonly commit: string;
  /** Why the play confirms nothing; null for a confirmation. */
  readonly void: string | null;
  /**
   * When the protocol's networks were first played, if this is a later play. Every sentence then mentions the earlier
   * play.
   */
  readonly seen: string | null;
  /** The one-sided error rate of all claims together. */
  readonly error_rate: number;
  readonly sessions: number;
  readonly sentences: readonly string[];
  readonly hypotheses: readonly Hypothesis[];
}

/** The number of planned sessions that have been played. */
interface Unfinished {
  readonly played: number;
  readonly planned: number;
}

/**
 * Draws the conclusion by the protocol's rules, but only after all planned sessions, because early results would let
 * the experimenter stop at a convenient moment.
 */
export function conclude(outDir: string): Conclusion | Unfinished {
  const { experiment, commit, plan, seed } = readConfirmationManifest(outDir);
  const played = plan.filter((run) => existsSync(join(outDir, 'runs', run, 'session.json'))).length;
  if (played < plan.length) return { played, planned: plan.length };
  const planned = new Set(plan);
  const records = readRuns(outDir).filter(({ arm, condition, k }) =>
    planned.has(`${cellName(arm, condition)}/${k}`),
  );
  const hypotheses = testHypotheses(experiment, records, seed);
  return {
    protocol: experiment.protocol.name,
    protocol_sha256: protocolHash(experiment.protocol),
    commit,
    void: findVoidReason(experiment, commit),
    seen: experiment.seen ?? null,
    error_rate: experiment.protocol.error_rate,
    sessions: records.length,
    sentences: hypotheses.map((each) => formatSentence(each, experiment.seen)),
    hypotheses,
  };
}

/** Whether the folder has a confirmation, finished or not. */
export const isConfirmation = (outDir: string): boolean =>
  hasManifest(outDir) && readManifest(outDir, checkAnySettings).experiment.name === CONFIRM;

/** Writes the conclusion next to the runs, or removes an outdated conclusion if runs are missing. */
export function writeConclusion(outDir: string): void {
  const found = conclude(outDir);
  if ('planned' in found) rmSync(join(outDir, FILE), { force: true });
  else replaceFiles(outDir, { [FILE]: asJson(found) });
}

/** Formats the conclusion for the terminal. */
export function conclusionLines(outDir: string): string[] {
  const found = conclude(outDir);
  if ('planned' in found)
    return [
      `${found.played} of ${found.planned} sessions are played; the protocol concludes nothing before the last`,
    ];
  const { protocol, protocol_sha256, commit, sessions, hypotheses, sentences, error_rate } = found;
  const shown = hypotheses.filter(({ is_shown }) => is_shown).length;
  return [
    `Protocol ${protocol} (${protocol_sha256.slice(0, 12)}), code ${commit}: ${sessions} sessions in virtual time; ${shown} of ${hypotheses.length} claims are shown, one-sided, at an error rate of ${formatValue(100 * error_rate)}% for all together.`,
    ...(found.void === null
      ? []
      : [`NOT A CONFIRMATION: ${found.void}. None of this may be published as one.`]),
    ...sentences.map((sentence) => `- ${sentence}`),
    join(outDir, FILE),
  ];
}

function findVoidReason({ rehearsal }: ConfirmationSettings, commit: string): string | null {
  if (rehearsal) return 'it is a rehearsal, whose traces may have been used to choose constants';
  if (commit.includes(THEN)) return 'the code changed while it was played';
  if (commit.includes('changes')) return 'the code had changes that are in no commit';
  return null;
}

/** The sentence about a claim, which says whether the claim is shown. */
export function formatSentence(hypothesis: Hypothesis, seen: string | undefined): string {
  const { set, arm, against, traces, left_out, difference, bound, is_shown, is_skewed } = hypothesis;
  const { mean_difference, ci95, arm_mean, against_mean } = hypothesis;
  const { unit, factor } = spokenUnit(hypothesis.metric);
  const metric = metricNamed(hypothesis.metric);
  const label = hypothesis.metric === 'rebuffer_ratio' ? 'time stalled' : metric.label;
  // The label of a count begins with its unit: "0.93 fewer switches of rung".
  const isCount = metric.unit !== '' && label.startsWith(metric.unit);
  const signed = (value: number) => formatHundredths(factor * value);
  const size = signed(Math.abs(mean_difference)).replace('+', '');
  const direction = mean_difference > 0 ? 'more' : isCount ? 'fewer' : 'less';
  const amount = [size, isCount ? '' : unit, direction].filter((part) => part !== '').join(' ');
  const details = [
    ...(ci95 ? [`95%: ${ci95.map(signed).join(' to ')}`] : []),
    `${formatValue(factor * arm_mean)} against ${formatValue(factor * against_mean)}`,
    `${traces} traces`,
    ...(left_out > 0 ? [`${left_out} without a value of both left out`] : []),
    ...(is_skewed ? ['few and skewed'] : []),
  ];
  const claim = `${difference} ${bound === 0 ? '0' : `${signed(bound)} ${unit}`.trim()}`;
  const found = `On ${set}, ${arm} has ${amount} ${label} than ${against} (${details.join('; ')})`;
  const before = seen === undefined ? '' : `Seen before, first played on ${seen.slice(0, 10)}: `;
  return `${before}${found}; ${is_shown ? `shown: the difference is ${claim}` : `NOT shown: that the difference is ${claim}`}.`;
}
