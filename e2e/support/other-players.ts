import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { createHandler } from '../../edge/handler.ts';
import { directoryOrigin } from '../../edge/local/directory-origin.ts';
import { startEdge, type ResponseEvent } from '../../edge/local/server.ts';
import type { Origin } from '../../edge/origin.ts';
import type { PaceLimits } from '../../edge/policy.ts';
import { originsByPrefix } from '../../edge/prefixes.ts';
import { paddedLadders } from './padded-ladder.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Players that send CMCD by themselves and know nothing of this project. */
export const OTHER_PLAYERS = ['dashjs', 'shaka', 'rx'] as const;
export type OtherPlayer = (typeof OTHER_PLAYERS)[number];

/** Serves the players' page, the players and padded ladders below `/ladder/`. */
export async function otherPlayersOrigin(): Promise<Origin> {
  return originsByPrefix({
    '/ladder/': await paddedLadders(),
    '/dashjs5/': await directoryOrigin(join(root, 'node_modules/dashjs/dist/modern')),
    '/shaka/': await directoryOrigin(join(root, 'node_modules/shaka-player/dist')),
    '/rx/': await bundleOfRx(),
    '/': await directoryOrigin(join(root, 'e2e/pages')),
  });
}

async function bundleOfRx(): Promise<Origin> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'node_modules/rx-player/dist/es2017/index.js')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = outputFiles[0]?.text ?? '';
  return () => Promise.resolve(new Response(code, { headers: { 'Content-Type': 'text/javascript' } }));
}

export interface OtherPlayersEdge {
  readonly url: string;
  readonly responses: readonly ResponseEvent[];
  close(): Promise<void>;
}

export async function startOtherPlayersEdge(origin: Origin, limits: PaceLimits): Promise<OtherPlayersEdge> {
  const responses: ResponseEvent[] = [];
  const edge = await startEdge({
    handler: createHandler({ origin, limits }),
    congestionControl: 'cubic',
    onResponse: (event) => responses.push(event),
  });
  return { url: edge.url, responses, close: () => edge.close() };
}

/** Limits what the page downloads to `rate_kbps`; null removes the limit. */
export async function shape(page: Page): Promise<(rate_kbps: number | null) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  return async (rate_kbps) => {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: rate_kbps === null ? 0 : 20,
      downloadThroughput: rate_kbps === null ? -1 : (rate_kbps * 1000) / 8,
      uploadThroughput: -1,
    });
  };
}
