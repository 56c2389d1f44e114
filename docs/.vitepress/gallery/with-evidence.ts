import { COMMITTED_EVIDENCE } from '../../../emulation/studies/paper/committed-evidence.ts';
import type { Exhibit } from '../../../emulation/studies/paper/claims/exhibit.ts';
import { readEvidence } from '../../../emulation/studies/paper/claims/evidence.ts';
import { addMeasurements, type PlannedExhibit } from '../../../emulation/studies/paper/claims/planned.ts';

const evidenceNamed = readEvidence(COMMITTED_EVIDENCE);

/** Fills in the numbers of `run paper` from the evidence files. Exhibits that state their numbers themselves are returned unchanged. */
export const withEvidence = (exhibits: readonly (Exhibit | PlannedExhibit)[]): Exhibit[] =>
  exhibits.map((exhibit) =>
    'origin' in exhibit ? exhibit : (addMeasurements(exhibit, evidenceNamed) ?? unmeasured(exhibit)),
  );

/** The claims without a measurement. */
const unmeasured = ({ rows, ...planned }: PlannedExhibit): Exhibit => ({
  ...planned,
  rows: rows.map(({ from: _, ...row }) => ({ ...row, ours: null })),
  origin: null,
});
