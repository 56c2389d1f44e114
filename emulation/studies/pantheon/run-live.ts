import type { Closing } from '../../../system/closing.ts';
import type { RunOutcome } from '../../harness/runs/study.ts';
import { findLateReason } from '../../network/measure/machine/late-rule.ts';
import { schemeNamed } from '../../network/schemes/index.ts';
import { measureFlows } from '../../network/schemes/live/measure-flows.ts';
import { keepRun } from './run-files.ts';
import { pantheonRun, type PantheonSpec } from './run-spec.ts';
import { getStart_s } from './settings.ts';
import { firstServed } from '../../ground/programs/first-served.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';

// This process needs the highest priority: the switch runs in it, and is late whenever the process waits for a
// processor.
firstServed();
serveRun(pantheonRun, runLive);

/** Runs a scheme's flows through the live switch and writes the run's files. `closing` ends the run early. */
async function runLive(spec: PantheonSpec, closing: Closing): Promise<RunOutcome> {
  const { cell, link, seconds, seed, programs, controls } = spec;
  const started_at = new Date().toISOString();
  const scheme = schemeNamed(cell.scheme);
  const starts_s = Array.from({ length: cell.flows }, (_, index) => getStart_s(index, cell.flows, seconds));
  const measured = await closing.until((signal) =>
    measureFlows(
      {
        ...{ link, seconds, seed },
        flows: starts_s.map((start_s) => ({ scheme, start_s })),
        program: (name) => programs[name] ?? name,
        congestionControl: (name) => controls[name] ?? name,
      },
      signal,
    ),
  );
  keepRun(spec, measured, { starts_s, started_at });
  const { postcards_missing, lateness_p99_ms } = measured;
  if (postcards_missing > 0) return { kind: 'busy', reason: `${postcards_missing} postcards were lost` };
  const late = findLateReason(lateness_p99_ms);
  return late === undefined ? { kind: 'finished' } : { kind: 'busy', reason: late };
}
