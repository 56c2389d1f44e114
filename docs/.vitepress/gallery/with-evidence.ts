import { COMMITTED_EVIDENCE } from '../../../emulation/studies/paper/committed-evidence.ts';
import type { Exhibit } from '../../../emulation/studies/paper/claims/exhibit.ts';
import { readEvidence } from '../../../emulation/studies/paper/claims/evidence.ts';
import { addMeasurements, type PlannedExhibit } from '../../../emulation/studies/paper/claims/planned.ts';

const evidenceNamed = readEvidence(COMMITTED_EVIDENCE);

/**
 * Fills in the numbers of `run paper` from the evidence files. Exhibits that already contain their numbers are returned
 * unchanged.
 */
export const withEvidence = (exhibits: readonly (Exhibit | PlannedExhibit)[]): Exhibit[] =>
  exhibits.map((exhibit) =>
    'origin' in exhibit ? exhibit : (addMeasurements(exhibit, evidenceNamed) ?? unmeasured(exhibit)),
  );

/** Returns an exhibit whose claims have no measurements. */
const unmeasured = ({ rows, ...planned }: PlannedExhibit): Exhibit => ({
  ...planned,
  rows: rows.map(({ from: _, ...row }) => ({ ...row, ours: null })),
  origin: null,
});
