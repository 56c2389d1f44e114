import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/node_modules', '**/dist', 'test-results', 'playwright-report', '**/bin', '**/pkg'] },
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
    files: ['src/**/*.ts'],
    ignores: ['src/dash/**', 'src/**/*.test.ts', 'src/index.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^[^.]', message: 'The core imports nothing.' }] },
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
      ],
    },
  },
  {
    // The rooms: edge -> src; emulation -> edge, src, p4; p4 knows nobody.
    files: ['p4/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(\\.\\./)+(src|edge|emulation|demo|tools)/', message: 'p4 knows nobody.' }] },
      ],
    },
  },
  {
    files: ['edge/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(\\.\\./)+(emulation|p4|demo|tools)/', message: 'edge imports from src only.' },
          ],
        },
      ],
    },
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
