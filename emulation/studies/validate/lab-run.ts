import type { CompletedDecision } from '../../../src/decision.ts';
import type { Link } from '../../network/links/link.ts';
import { readSessionManifest } from '../../player/records/session-manifest.ts';
import { readDecisions } from '../../player/records/read-decisions.ts';
import { readRuns, runFolder } from '../../player/records/read-runs.ts';
import type { RunRecord } from '../../player/records/run-record.ts';
import type { SessionManifest } from '../../player/records/session-manifest.ts';
import type { Condition } from '../../player/records/session-settings.ts';

/** A run of the lab, with the complete record of its downloads. */
export interface LabRun {
  readonly record: RunRecord;
  readonly condition: Condition | undefined;
  readonly link: Link;
  /** The decisions in the order in which the segments were requested. */
  readonly decisions: readonly CompletedDecision[];
}

/** Reads the finished runs of the lab in a folder. Throws an Error that names the invalid file. */
export function readLabRuns(folder: string): {
  readonly manifest: SessionManifest;
  readonly runs: readonly LabRun[];
} {
  const manifest = readSessionManifest(folder);
  const { experiment } = manifest;
  const runs = readRuns(folder).map((record): LabRun => {
    const condition = experiment.conditions?.find(({ name }) => name === record.condition);
    const decisions = readDecisions(runFolder(folder, record));
    return { record, condition, link: condition?.link ?? experiment.link, decisions };
  });
  if (runs.length === 0) throw new Error(`${folder} has no finished runs`);
  if (runs.some(({ record }) => record.simulated))
    throw new Error(`${folder} has simulated runs; --validate needs runs in real time`);
  return { manifest, runs };
}
