import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionSettings } from '../../player/records/session-settings.ts';
import { PAPER_LINK } from '../links/link.ts';
import { writeFixture } from '../../studies/report/testing/fixture.ts';
import { merge } from '../../harness/runs/merge.ts';
import { checkAnySettings, readManifest, writeManifest } from '../../harness/runs/manifest.ts';
import { runStudy } from '../../harness/runs/run-study.ts';
import { planSessions } from '../../player/real-time/plan-sessions.ts';
import { sessionStudy } from '../../studies/sessions/session-study.ts';
import { makeSpec } from '../../player/real-time/make-spec.ts';
import { labEdge, type LabEdgeName } from './index.ts';

vi.mock('../../../edge/nginx/module.ts', () => ({
  ensureNginx: () => Promise.resolve('nginx is not installed'),
}));

const settings: SessionSettings = {
  ...{
    name: 'x',
    about: '',
    figure: '',
    runs: 1,
    seconds: 10,
    link: PAPER_LINK,
    arms: ['dashjs', 'sammy-paper'],
  },
};
const resolved = (edge?: LabEdgeName, own = settings) => planSessions(own, { edge }).settings;
const experiment = sessionStudy(settings);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'edges-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('--edge', () => {
  it('is stored in the settings, and in every run', async () => {
    expect(resolved('nginx').edge).toBe('nginx');
    expect(resolved('nginx', resolved('nginx'))).toEqual(resolved('nginx'));
    expect(resolved(undefined, resolved('nginx')).edge).toBe('nginx');
    const run = { cell: 'dashjs', k: 1, group: '' };
    const places = { outDir: '', folder: '', page: '', film: '' };
    expect(await makeSpec(run, resolved('nginx'), places)).toMatchObject({ edge: 'nginx' });
    expect(await makeSpec(run, resolved(), places)).toMatchObject({ edge: 'node' });
  });

  it('omits node, as older manifests do', () => {
    expect(JSON.stringify(resolved('node'))).toBe(JSON.stringify(resolved()));
  });

  it.each<[LabEdgeName, LabEdgeName]>([
    ['node', 'nginx'],
    ['nginx', 'node'],
  ])('%s cannot be resumed with %s', async (before, now) => {
    const outDir = join(root, 'out');
    writeFixture(outDir, resolved(before));
    await expect(
      runStudy(experiment, { asked: { edge: now }, outDir, resume: true, command: '' }),
    ).rejects.toThrow(`${outDir} has results with other settings; choose another --out`);
  });

  it('must be the same in all merged folders', async () => {
    const folders = (['node', 'nginx'] as const).map((edge) => {
      const folder = join(root, edge);
      writeFixture(folder, resolved(edge), { finished: 0 });
      writeManifest(folder, { ...readManifest(folder, checkAnySettings), plan: [] });
      return folder;
    });
    const merging = { outDir: join(root, 'all'), command: '', mixedCommits: false };
    await expect(merge({ ...merging, folders, findStudy: () => experiment })).rejects.toThrow(
      `${root}/nginx has edge "nginx", and ${root}/node none: they are not from the same study`,
    );
  });

  it('reports in one line, before anything starts, that nginx is missing', async () => {
    const nginx = await labEdge('nginx');
    await expect(nginx.prepare(() => undefined)).rejects.toThrow(/^--edge nginx: nginx is not installed$/);
  });
});
