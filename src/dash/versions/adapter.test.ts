import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { attachSammy } from '../../index.ts';
import { attachSammy as attachToEither } from '../../dashjs-4.ts';
import { adapterFor } from './adapter.ts';
import { V4 } from './v4.ts';
import { V5 } from './v5.ts';

const SUPPORTED = ['4.7.0', 'v4.7.4', '4.10.0', '5.0.2', '5.1.0', '5.2.1', '5.3.0-nightly'];
const UNSUPPORTED = ['3.2.2', '4.6.0', '5.0.0', '5.0.1', '6.0.0', '10.0.0', '40.7.0', '', 'unknown'];

describe('the versions of dash.js', () => {
  it.each(SUPPORTED)('%s is supported', (version) => {
    const adapter = adapterFor(version, [V4, V5]);
    expect(adapter).toBe(version.replace('v', '').startsWith('4') ? V4 : V5);
  });

  it.each(UNSUPPORTED)('%j is not supported', (version) => {
    expect(adapterFor(version, [V4, V5])).toBeUndefined();
  });

  it('equal the package’s peer range', async () => {
    const manifest = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as {
      peerDependencies: { dashjs: string };
    };
    expect(manifest.peerDependencies.dashjs).toBe('>=4.7.0 <5 || >=5.0.2 <6');
  });

  it.each(['4.6.0', '5.0.1', '6.0.0'])(
    '%s is refused with its version, although the player looks like version 5',
    (version) => {
      const player = { getVersion: () => version, addRequestInterceptor: () => undefined };
      expect(() => attachToEither(player as never)).toThrow(
        `attachSammy: dash.js is '${version}', expected 4.7 or a later 4, 5.0.2 or a later 5`,
      );
    },
  );

  it('4.7 is refused by the main entry, with the name of the entry to import', () => {
    expect(() => attachSammy({ getVersion: () => '4.7.4' } as never)).toThrow(
      "dash.js is '4.7.4', expected 5.0.2 or a later 5, or 4.7 or a later 4 with 'dashjs-sammy/dashjs-4'",
    );
  });

  it('of an object that is not a player is refused, too', () => {
    expect(() => attachSammy({} as never)).toThrow(/expected a dash\.js MediaPlayer/);
  });
});
