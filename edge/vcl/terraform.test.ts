import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findExecutable } from '../../system/find-executable.ts';
import { errorLine } from '../../system/error-line.ts';
import { runQuietly } from '../../system/run-quietly.ts';

const EXAMPLES = ['chain', 'existing-service'].map((name) =>
  fileURLToPath(new URL(`terraform/${name}/main.tf`, import.meta.url)),
);

describe.each(EXAMPLES)('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  it('refers to existing VCL files', () => {
    const locals = /snippets = "\$\{path\.module\}\/(.*)"/.exec(text)?.[1] ?? '';
    const named = [...text.matchAll(/file\("\$\{(path\.module|local\.snippets)\}\/(.*?)"\)/g)].map(
      ([, from, path = '']) => join(dirname(file), from === 'path.module' ? '' : locals, path),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const path of named) expect(existsSync(path), path).toBe(true);
  });

  it('passes terraform validate', async (context) => {
    const terraform = findExecutable('terraform');
    if (terraform === undefined)
      return context.skip('no terraform on PATH: developer.hashicorp.com/terraform/install');
    const folder = `-chdir=${dirname(file)}`;
    await runQuietly(terraform, [folder, 'fmt', '-check']);
    // Without Fastly's provider, from a registry or a local one (dev_overrides), terraform cannot check the resources.
    const said = await runQuietly(terraform, [folder, 'validate', '-no-color']).catch(errorLine);
    if (/required provider|terraform init/i.test(said))
      return context.skip(
        'terraform has no provider fastly/fastly: terraform init, where its registry can be reached',
      );
    expect(said).toContain('The configuration is valid');
  });
});
