/** An area for mutation testing: sources, and the tests that must detect the mutants of these sources. */
export interface Area {
  /** Patterns of the files that are mutated. */
  readonly mutate: readonly string[];
  /** Patterns of the tests. Other tests may run the same files without specifying their behavior. */
  readonly tests: readonly string[];
}

const folder = (path: string): Area => ({ mutate: [`${path}/**/*.ts`], tests: [`${path}/**/*.test.ts`] });

const edgeFiles = (...names: string[]): Area => ({
  mutate: names.map((name) => `edge/${name}.ts`),
  tests: names.map((name) => `edge/${name}.test.ts`),
});

/** Adds tests of other files that specify the area, too: edge/cases.json is the table of the policy. */
const withTests = ({ mutate, tests }: Area, ...more: string[]): Area => ({
  mutate,
  tests: [...tests, ...more],
});

/** The areas: parts of the plug-in's core and the pure part of the edge, whose tests take seconds. */
export const AREAS = {
  wire: folder('src/wire'),
  pace: folder('src/pace'),
  learning: folder('src/learning'),
  film: folder('src/film'),
  experiment: folder('src/experiment'),
  policy: withTests(edgeFiles('policy', 'cmcd', 'arbitration'), 'edge/cases.test.ts'),
  caches: edgeFiles('byte-range', 'ranged', 'via', 'url-origin', 'cluster', 'experiments'),
} satisfies Readonly<Record<string, Area>>;

export type AreaName = keyof typeof AREAS;

/**
 * The environment variable that names the area. A variable is needed because Stryker passes no arguments to the tests'
 * configuration.
 */
export const AREA_VARIABLE = 'MUTATED_AREA';

export function readArea(): Area {
  const name = process.env[AREA_VARIABLE] ?? '';
  const area = (AREAS as Readonly<Record<string, Area>>)[name];
  if (!area)
    throw new Error(`${AREA_VARIABLE} is '${name}', expected one of ${Object.keys(AREAS).join(', ')}`);
  return area;
}
