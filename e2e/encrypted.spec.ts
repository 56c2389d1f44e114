import { ensureTestContent } from '../media/sources/footage.ts';
import { missingFirefoxReason } from '../tools/setup/firefox.ts';
import { CLEAR_KEY, encryptedFilm, missingPackagerReason } from './support/encrypted-film.ts';
import { test as firefoxTest } from './support/engines/firefox.ts';
import { expect, test, type DrivenPage } from './support/fixtures.ts';
import { playsAndPaces } from './support/scenarios.ts';
import { startTestEdge } from './support/test-edge.ts';

type Version = '4' | '5';
const VERSIONS: readonly Version[] = ['5', '4'];

/** Checks that the film is encrypted, plays it with its key, and checks that it is paced. */
async function playsEncrypted(page: DrivenPage, version: Version): Promise<void> {
  const { directory } = await ensureTestContent();
  const edge = await startTestEdge(await encryptedFilm(directory));
  try {
    // By ISO/IEC 23001-7 §4.1, the sample entry of encrypted video is called `encv`, for any codec.
    const initialization = await (await fetch(`${edge.url}/content/v300/init.mp4`)).text();
    expect(initialization).toContain('encv');

    await playsAndPaces(page, edge, { version, format: 'umd', protection: CLEAR_KEY });
    const seen = await page.evaluate(() => {
      const video = document.querySelector('video');
      return {
        hasKeys: Boolean(video?.mediaKeys),
        showsPictures: (video?.getVideoPlaybackQuality().totalVideoFrames ?? 0) > 0,
        errors: window.playerErrors,
      };
    });
    expect(seen).toEqual({ hasKeys: true, showsPictures: true, errors: [] });
  } finally {
    await edge.close();
  }
}

test.describe('a film encrypted with Clear Key', () => {
  const missing = missingPackagerReason();
  // Skipped if the packager has no program for this platform.
  test.skip(missing !== null, missing ?? '');

  for (const version of VERSIONS) {
    test(`dash.js ${version}: plays, is paced, and reads its receipts`, async ({ page }) => {
      await playsEncrypted(page, version);
    });
  }
});

firefoxTest.describe('a film encrypted with Clear Key, in Firefox', () => {
  const missing = missingPackagerReason() ?? missingFirefoxReason();
  // Skipped if the packager has no program for this platform, or Firefox is missing and apt may not install it.
  firefoxTest.skip(missing !== null, missing ?? '');

  for (const version of VERSIONS) {
    firefoxTest(`dash.js ${version}: plays, is paced, and reads its receipts`, async ({ tab }) => {
      await playsEncrypted(tab, version);
    });
  }
});
