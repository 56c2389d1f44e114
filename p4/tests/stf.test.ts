import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileFile } from '../compiler/compile.ts';
import { runStf } from '../stf.ts';

const folders = [import.meta.dirname, join(import.meta.dirname, '../programs')];
const tests = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.stf'))
    .map((name) => ({ name: name.slice(0, -'.stf'.length), folder })),
);

describe('STF: bytes derived from the specification', () => {
  test.each(tests)('$name', ({ name, folder }) => {
    const compiled = compileFile(join(folder, `${name}.p4`));
    expect(compiled.diagnostics.render()).toBe('');
    const { difference, warnings } = runStf(compiled, readFileSync(join(folder, `${name}.stf`), 'utf8'));
    expect(warnings).toEqual([]);
    expect(difference).toBeUndefined();
  });
});
