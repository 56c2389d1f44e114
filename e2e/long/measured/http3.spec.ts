import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../../edge/local/self-signed.ts';
import { proxyTo } from '../../../edge/nginx/location.ts';
import { ensureModule } from '../../../edge/nginx/module.ts';
import { findNginxOfTrixie } from '../../../edge/nginx/program.ts';
import { startNginx } from '../../../edge/nginx/server.ts';
import { ensureTestContent } from '../../../media/sources/footage.ts';
import { freePort } from '../../../system/free-port.ts';
import {
  expect,
  isPacedVideo,
  median,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  test,
} from '../../support/fixtures.ts';
import { startTestEdge } from '../../support/test-edge.ts';

const trixie = findNginxOfTrixie();

test('over HTTP/3, nginx paces each response to a browser with QUIC', async ({ playwright }) => {
  // Skipped if Debian 13's nginx could not be downloaded; npm run test:all downloads it.
  test.skip(trixie === undefined, 'Debian 13’s nginx is not downloaded: npm run test:all');
  if (trixie === undefined) return;
  const { directory } = await ensureTestContent();
  const { cert, key } = await selfSigned();
  const folder = await mkdtemp(join(tmpdir(), 'http3-e2e-'));
  await writeFile(join(folder, 'cert.pem'), cert);
  await writeFile(join(folder, 'key.pem'), key);
  const edge = await startTestEdge(directory);
  const port = await freePort();
  const nginx = await startNginx({
    nginx: trixie.nginx,
    module: await ensureModule(() => undefined, { nginx: trixie.nginx }),
    port,
    http: `server { listen 127.0.0.1:${port} ssl; listen 127.0.0.1:${port} quic; cmcd_pace on; ${proxyTo(edge.url)}
      ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; }`,
  });
  const { launchOptions } = test.info().project.use;
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      `--origin-to-force-quic-on=127.0.0.1:${port}`,
      // For QUIC, Chromium accepts a certificate only if its key is listed, not if errors are merely ignored.
      `--ignore-certificate-errors-spki-list=${publicKeyHash(cert)}`,
    ],
  });
  try {
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    const buffer = { bufferTimeDefault: 6, bufferTimeAtTopQuality: 6, bufferTimeAtTopQualityLongForm: 6 };
    await play(page, { url: `https://127.0.0.1:${port}` }, { dash: { streaming: { buffer } } });
    const all = await pacedSegments(page, 5);
    await playhead(page, 6);

    const protocols = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.includes('.m4s'))
        .map(({ nextHopProtocol }) => nextHopProtocol),
    );
    expect(protocols.length).toBeGreaterThan(8);
    expect(new Set(protocols)).toEqual(new Set(['h3']));

    const playing = all.filter(({ phase, outcome }) => phase === 'playing' && outcome === 'completed');
    for (const { requested_kbps, applied_kbps } of playing) expect(applied_kbps).toBe(requested_kbps);
    const ratios = playing
      .filter(isPacedVideo)
      .map(({ achieved_kbps, applied_kbps }) => (achieved_kbps ?? 0) / (applied_kbps ?? 1));
    expect(median(ratios)).toBeGreaterThan(0.6);
    // No response is faster than its pace, because each stream has its own pace, not a share of a socket's pace.
    expect(median(ratios)).toBeLessThan(1.3);
    await noPaceStalls(page);
    await nothingThrown(page);
  } finally {
    await browser.close();
    await nginx.close();
    await edge.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** SHA-256 of a certificate's public key, by which Chromium identifies the certificate. */
const publicKeyHash = (pem: string): string =>
  createHash('sha256')
    .update(new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
