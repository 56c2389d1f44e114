import type { Evidence, EvidenceNamed } from './evidence.ts';
import type { Exhibit, Row } from './exhibit.ts';
import { numberOf, type Source } from './source.ts';

/** A row as it is stated before it is measured. */
export interface PlannedRow extends Omit<Row, 'ours'> {
  /** Null where nothing here measures it: the exhibit then cannot hold. */
  readonly from: Source | null;
}

/** A row of a table of claims. `claim` has what it says beside the numbers, such as `LESS`. */
export const compared = (
  what: string,
  unit: string,
  paper: PlannedRow['paper'],
  from: Source | null,
  claim: Pick<PlannedRow, 'level' | 'claim'> = {},
): PlannedRow => ({ what, unit, paper, ...claim, from });

/**
 * A figure or table as it is stated before it is measured: what is compared, with which margin, and in which evidence our
 * numbers are. `verdict.ts` says what each outcome means. The note says what differs from the paper, and names no result.
 */
export interface PlannedExhibit extends Omit<Exhibit, 'rows' | 'origin'> {
  readonly rows: readonly PlannedRow[];
}

/** The names of the measurements that an exhibit needs. */
export const evidenceOf = ({ rows }: PlannedExhibit): string[] => [
  ...new Set(rows.flatMap(({ from }) => from?.evidence ?? [])),
];

/** The exhibit with the numbers of what is measured; null where something of it is not. */
export function measured(planned: PlannedExhibit, evidenceNamed: EvidenceNamed): Exhibit | null {
  const found = new Map(evidenceOf(planned).map((name) => [name, evidenceNamed(name)]));
  const all = [...found.values()].filter((each) => each !== undefined);
  const [first] = all;
  if (first === undefined || all.length < found.size) return null;
  const rows = planned.rows.map(({ from, ...row }): Row => {
    const evidence = from && found.get(from.evidence);
    return { ...row, ours: evidence ? numberOf(from, evidence) : null };
  });
  return { ...planned, rows, origin: originOf(first, [...found.keys()]) };
}

const originOf = ({ command, commit, kernel, date, form, seeds }: Evidence, evidence: readonly string[]) => ({
  ...{ command, commit, kernel, date, form, evidence },
  seeds: seeds.length,
});
