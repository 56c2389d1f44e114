import type { Evidence, EvidenceNamed } from './evidence.ts';
import type { Exhibit, Row } from './exhibit.ts';
import { computeNumber, type Source } from './source.ts';

/** A row of an exhibit, written before the measurement. */
export interface PlannedRow extends Omit<Row, 'ours'> {
  /**
   * Where the measured number comes from; null if this project does not measure it, so that the exhibit cannot hold.
   */
  readonly from: Source | null;
}

/** Makes a row of a table of claims. `claim` has further properties of the row, such as `LESS`. */
export const comparedRow = (
  what: string,
  unit: string,
  paper: PlannedRow['paper'],
  from: Source | null,
  claim: Pick<PlannedRow, 'level' | 'claim'> = {},
): PlannedRow => ({ what, unit, paper, ...claim, from });

/**
 * The plan for comparing a figure or table of a paper, written before anything is measured: what is compared, with
 * which margins, and which measurement (its evidence) supplies the numbers. `verdict.ts` defines each outcome. The note
 * says how the setup differs from the paper's, not what was found.
 */
export interface PlannedExhibit extends Omit<Exhibit, 'rows' | 'origin'> {
  readonly rows: readonly PlannedRow[];
}

/** The names of the measurements that an exhibit needs. */
export const listEvidence = ({ rows }: PlannedExhibit): string[] => [
  ...new Set(rows.flatMap(({ from }) => from?.evidence ?? [])),
];

/** Returns the exhibit with the measured numbers; null if some of its evidence is missing. */
export function addMeasurements(planned: PlannedExhibit, evidenceNamed: EvidenceNamed): Exhibit | null {
  const found = new Map(listEvidence(planned).map((name) => [name, evidenceNamed(name)]));
  const all = [...found.values()].filter((each) => each !== undefined);
  const [first] = all;
  if (first === undefined || all.length < found.size) return null;
  const rows = planned.rows.map(({ from, ...row }): Row => {
    const evidence = from && found.get(from.evidence);
    return { ...row, ours: evidence ? computeNumber(from, evidence) : null };
  });
  return { ...planned, rows, origin: makeOrigin(first, [...found.keys()]) };
}

const makeOrigin = (
  { command, commit, kernel, date, form, seeds }: Evidence,
  evidence: readonly string[],
) => ({
  ...{ command, commit, kernel, date, form, evidence },
  seeds: seeds.length,
});
