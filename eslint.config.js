import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { floors } from './tools/lint/floors.js';

/** What knows a player: an adapter each. Nobody imports them but the entries of the package. */
const ADAPTERS = ['dash'];

/** What makes the package's entries of all else. */
const ENTRIES = ['src/index.ts', 'src/dashjs-4.ts', 'src/experiment/index.ts'];

/** The core, which knows no player, no clock and no machine. `host` is what it needs of a page, and adapters share. */
const PURE = [`src/!(host|${ADAPTERS.join('|')})/**/*.ts`, 'src/!(index|dashjs-4).ts'];

const notInSrc = (folders, message) => ({ regex: `^(\\.\\.?/)+(${folders.join('|')})/`, message });

/** Of ES2023, what the oldest browsers of README.md lack, though the compiler's library has it. */
const TOO_NEW = ['toReversed', 'toSorted', 'toSpliced'].map((property) => ({
  property,
  message: 'Chrome 98, Firefox 104 and Safari 15.4 do not have it.',
}));

/** What a room's sources may import of others. The whole of `demo`, `docs`, `e2e`, `bench` and `tools` may use all. */
const ROOMS = {
  src: [],
  p4: [],
  system: [],
  media: ['src', 'system'],
  analysis: ['src', 'system'],
  edge: ['src', 'system'],
  emulation: ['edge', 'media', 'src', 'p4', 'system'],
};
const ALL_ROOMS = [...Object.keys(ROOMS), 'demo', 'e2e', 'bench', 'tools', 'docs'];

const onlyFrom = (room, mayImport) => {
  const barred = ALL_ROOMS.filter((other) => other !== room && !mayImport.includes(other));
  const known = mayImport.length > 0 ? `imports from ${mayImport.join(', ')} only` : 'knows nobody';
  return { regex: `^(\\.\\./)+(${barred.join('|')})/`, message: `${room} ${known}.` };
};

/** The floors of emulation's rooms, the lowest first: a room imports from those below its own only. */
const FLOORS = [
  ['words', 'clock', 'files', 'statistics', 'programs', 'edges', 'congestion', 'virtual/fluid'],
  ['theory', 'drawing', 'arms', 'measure', 'page', 'machine'],
  ['neighbours', 'links'],
  ['setup', 'virtual/rounds'],
  ['runs', 'cluster'],
  ['traffic', 'session'],
  ['virtual/packets', 'simulator', 'report', 'page/lab'],
  ['flows', 'viewers', 'export', 'page/in-process'],
  ['sessions', 'world', 'page/sockets'],
  ['experiments'],
  ['paper', 'simulate'],
  ['search', 'trial'],
  ['actions'],
];

export default tseslint.config(
  {
    ignores: [
      '**/node_modules',
      '**/dist',
      'test-results',
      'playwright-report',
      'docs/.vitepress/cache',
      '**/bin',
      '**/pkg',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // A switch or a while (true) over packets, tokens and frames reads better than its contortions.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      // To leave a field out of an object is to name it.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // dash.js and uPlot declare classes and enums that do not exist at run time; a literal is what they take.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
    },
  },
  {
    // The core imports nothing but itself.
    files: PURE,
    ignores: ['**/*.test.ts', ...ENTRIES],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^[^.]', message: 'The core imports nothing.' },
            onlyFrom('src', []),
            notInSrc(['host', ...ADAPTERS], 'The core knows no page and no player.'),
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        'window',
        'document',
        'localStorage',
        'performance',
        'Date',
        'process',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Randomness comes in as an argument.' },
        ...TOO_NEW,
      ],
    },
  },
  {
    files: ['src/host/**/*.ts', ...ADAPTERS.map((adapter) => `src/${adapter}/**/*.ts`), ...ENTRIES],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-properties': ['error', ...TOO_NEW] },
  },
  // Tests may fetch their helpers from anywhere.
  ...Object.entries(ROOMS).map(([room, mayImport]) => ({
    files: [`${room}/**/*.ts`],
    ignores: ['**/*.test.ts', ...(room === 'src' ? [...PURE, ...ENTRIES.map((entry) => `!${entry}`)] : [])],
    rules: { 'no-restricted-imports': ['error', { patterns: [onlyFrom(room, mayImport)] }] },
  })),
  {
    files: ['src/host/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [onlyFrom('src', []), notInSrc(ADAPTERS, 'host knows no player.')] },
      ],
    },
  },
  {
    files: ['emulation/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { house: { rules: { floors } } },
    rules: { 'house/floors': ['error', { house: `${import.meta.dirname}/emulation`, floors: FLOORS }] },
  },
  {
    // Applications of the published package: e2e/examples.spec.ts compiles them against it as packed.
    files: ['examples/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // Scripts that engines of 2014 run.
    files: ['e2e/old-engine/*.cjs'],
    languageOptions: { ecmaVersion: 5, sourceType: 'script' },
  },
  {
    files: ['e2e/old-engine/host.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        __dirname: 'readonly',
        setTimeout: 'readonly',
        structuredClone: 'readonly',
        queueMicrotask: 'readonly',
      },
    },
  },
  {
    files: ['e2e/old-engine/session.cjs'],
    languageOptions: { globals: { Promise: 'readonly', setTimeout: 'readonly' } },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setInterval: 'readonly' },
    },
  },
);
