import type { RunOutcome } from '../../harness/runs/study.ts';
import { modelFlows } from './model.ts';
import { keepRun } from './run-files.ts';
import type { PantheonSpec } from './run-spec.ts';
import { startOf } from './settings.ts';

/** Plays a scheme's flows in the packet model and writes the same files as a live run. */
export function runModel(spec: Omit<PantheonSpec, 'programs' | 'controls'>): RunOutcome {
  const { cell, link, seconds, seed } = spec;
  const started_at = new Date().toISOString();
  const starts_s = Array.from({ length: cell.flows }, (_, index) => startOf(index, cell.flows, seconds));
  const flows = starts_s.map((start_s) => ({ scheme: cell.scheme, start_s }));
  keepRun(spec, modelFlows({ link, flows, seconds, seed }), { starts_s, started_at });
  return { kind: 'finished' };
}
