import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from './encode-ladder.ts';
import { segmentDurations, topSize, type EncodedRung } from './ladder.ts';
import { joinSegments } from './segments.ts';
import type { Source } from './sources/source.ts';
import { parseSsim, segmentSsim, ssimArguments, ssimLog } from './ssim.ts';

/** The duration of this step divided by that of encoding the whole ladder: 12 s / 31 s on two cores. */
export const SSIM_WORK = 0.4;

/** Measures the SSIM in dB of each segment of every rung in `folder`, by id. */
export async function measureQuality(
  source: Source,
  ladder: readonly EncodedRung[],
  folder: string,
  run: Run,
): Promise<Map<string, number[]>> {
  const top = topSize(ladder, source);
  const count = segmentDurations(source.frames, source.frameRate).length;
  const wholeFile = (rung: EncodedRung): string => `${rung.id}.whole.mp4`;
  for (const rung of ladder) await joinSegments(folder, rung.id, count, wholeFile(rung));
  const step = { task: 'Measuring quality (SSIM)', share: SSIM_WORK };
  await run(step, ssimArguments(source, top, ladder, ladder.map(wholeFile)));

  const quality = new Map<string, number[]>();
  for (const rung of ladder) {
    const log = join(folder, ssimLog(rung));
    const segments = segmentSsim(parseSsim(await readFile(log, 'utf8')), source.frameRate);
    if (segments.length !== count) {
      throw new Error(`${source.title}: SSIM covers ${segments.length} of ${count} segments of ${rung.id}`);
    }
    quality.set(rung.id, segments);
    await rm(log);
    await rm(join(folder, wholeFile(rung)));
  }
  return quality;
}
