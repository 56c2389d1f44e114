import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { attachSammy } from '../attach.ts';
import { isSupportedVersion } from './supported-version.ts';

const SUPPORTED = ['4.7.0', 'v4.7.4', '4.10.0', '5.0.2', '5.1.0', '5.2.1', '5.3.0-nightly'];
const UNSUPPORTED = ['3.2.2', '4.6.0', '5.0.0', '5.0.1', '6.0.0', '10.0.0', '40.7.0', '', 'unknown'];

describe('the versions of dash.js', () => {
  it.each(SUPPORTED)('%s is supported', (version) => {
    expect(isSupportedVersion(version)).toBe(true);
  });

  it.each(UNSUPPORTED)('%j is not', (version) => {
    expect(isSupportedVersion(version)).toBe(false);
  });

  it('are the same in the package’s peer range', async () => {
    const manifest = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as {
      peerDependencies: { dashjs: string };
    };
    expect(manifest.peerDependencies.dashjs).toBe('>=4.7.0 <5 || >=5.0.2 <6');
  });

  it.each(['4.6.0', '5.0.1', '6.0.0'])('%s is refused by name, though it looks like a 5', (version) => {
    const player = { getVersion: () => version, addRequestInterceptor: () => undefined };
    expect(() => attachSammy(player as never)).toThrow(
      `attachSammy: dash.js ${version} is not supported; expected 4.7 or a later 4, 5.0.2 or a later 5`,
    );
  });

  it('of what is no player is refused too', () => {
    expect(() => attachSammy({} as never)).toThrow(/expected a dash\.js MediaPlayer/);
  });
});
