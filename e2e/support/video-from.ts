import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ensureTestContent } from '../../media/sources/footage.ts';
import { decisions, shortBuffer, type PlayOptions } from './fixtures.ts';
import type { OtherCdn } from './other-cdn.ts';
import type { TestEdge } from './test-edge.ts';

/**
 * Changes the manifest so that video comes from the other CDN (or the CDN in the query of the manifest's URL) and audio
 * from the edge.
 */
export async function videoFrom(cdn: OtherCdn | undefined, edge: TestEdge): Promise<void> {
  const { directory } = await ensureTestContent();
  const manifest = await readFile(join(directory, 'manifest.mpd'), 'utf8');
  edge.fault = ({ pathname, searchParams }) => {
    if (!pathname.endsWith('.mpd')) return undefined;
    const base = `$&<BaseURL>${cdn?.url ?? searchParams.get('video')}/</BaseURL>`;
    const body = manifest.replace(/<AdaptationSet id="0"[^>]*>/, base);
    return new Response(body, { headers: { 'Content-Type': 'application/dash+xml' } });
  };
}

/** Returns settings for a buffer that is too short to hide the delay of a failed request. */
export const short = (version: PlayOptions['version']) => ({
  streaming: { buffer: shortBuffer(version, 4) },
});

export const videoDecisions = async (page: Page) =>
  (await decisions(page)).filter(({ media_type }) => media_type === 'video');
