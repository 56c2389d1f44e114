import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate as lint } from 'dockerfile-utils';
import { Job } from 'kubernetes-models/batch/v1';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const text = (name: string) => readFileSync(here(name), 'utf8');

/** Returns the command that run-shard.sh runs. `node` is replaced by a program that prints its arguments. */
function printedCommand(index: number, environment: Record<string, string>): string {
  const bin = mkdtempSync(join(tmpdir(), 'run-shard-'));
  try {
    writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "node $*"\n', { mode: 0o755 });
    const PATH = `${bin}:${process.env.PATH ?? ''}`;
    return execFileSync(here('run-shard.sh'), [String(index)], {
      env: { PATH, ...environment },
      encoding: 'utf8',
    }).trim();
  } finally {
    rmSync(bin, { recursive: true });
  }
}

describe('the cluster', () => {
  it("has a Job that is valid by Kubernetes's schema", () => {
    const definition = parse(text('job.yaml')) as ConstructorParameters<typeof Job>[0];
    expect(() => new Job(definition).validate()).not.toThrow();
    const wrong = { ...definition, spec: { ...definition?.spec, completions: 'four' } };
    expect(() => new Job(wrong as unknown as typeof definition).validate()).toThrow(/completions/);
  });

  it('has a Job with as many shards as indexes, one per node', () => {
    const { spec } = parse(text('job.yaml')) as NonNullable<ConstructorParameters<typeof Job>[0]>;
    const [container] = spec?.template.spec?.containers ?? [];
    const shards = container?.env?.find(({ name }) => name === 'SHARDS')?.value;
    expect(spec).toMatchObject({
      completionMode: 'Indexed',
      completions: Number(shards),
      parallelism: Number(shards),
    });
    expect(container?.command?.join(' ')).toContain(
      'emulation/harness/cluster/run-shard.sh "$JOB_COMPLETION_INDEX"',
    );
    expect(spec?.template.spec?.affinity?.podAntiAffinity).toBeDefined();
  });

  it('starts each shard, which the cluster counts from 0 and the lab from 1', () => {
    const environment = { EXPERIMENT: 'single', SHARDS: '4', RESULTS: '/results' };
    expect(printedCommand(0, environment)).toBe(
      'node --import tsx tools/main.ts lab run single --shard 1/4 --out /results/single-1-of-4 --resume',
    );
    expect(printedCommand(3, { ...environment, LAB_OPTIONS: '--runs 2 --seed 3' })).toBe(
      'node --import tsx tools/main.ts lab run single --shard 4/4 --out /results/single-4-of-4 --resume --runs 2 --seed 3',
    );
    expect(() => printedCommand(0, { EXPERIMENT: 'single', RESULTS: '/results' })).toThrow(/SHARDS/);
  });

  it('has a Dockerfile without lint errors, whose files exist', () => {
    const dockerfile = text('Dockerfile');
    expect(lint(dockerfile)).toEqual([]);
    expect(lint(dockerfile.replace('WORKDIR', 'WORKDR'))).not.toEqual([]);
    const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    expect(copied).toContain('package-lock.json');
    for (const file of copied) expect(existsSync(join(root, file)), file).toBe(true);
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      workspaces: string[];
    };
    // npm ci refuses a lock file if the folder of one of its workspaces is missing.
    for (const workspace of workspaces) expect(copied).toContain(`${workspace}/package.json`);
    for (const [, script = ''] of dockerfile.matchAll(/^RUN node --import tsx (\S+)$/gm))
      expect(existsSync(join(root, script)), script).toBe(true);
  });
});
