import { expect, it } from 'vitest';
import type { SessionSettings } from '../records/session-settings.ts';
import { PAPER_LINK } from '../../network/links/link.ts';
import { makeSpec } from './make-spec.ts';

const settings: SessionSettings = {
  ...{ name: 'x', about: '', figure: '', runs: 1, seconds: 10, link: PAPER_LINK, arms: ['a'] },
  buffer_s: 60,
  conditions: [{ name: 'own', buffer_s: 240 }, { name: 'usual' }],
};
const places = { outDir: '', folder: '', page: '', film: '' };

it("gives a session its condition's buffer, or else the experiment's", async () => {
  expect(await makeSpec({ cell: 'a@own', k: 1, group: '' }, settings, places)).toMatchObject({
    buffer_s: 240,
  });
  expect(await makeSpec({ cell: 'a@usual', k: 1, group: '' }, settings, places)).toMatchObject({
    buffer_s: 60,
  });
});
