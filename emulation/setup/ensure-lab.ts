import type { OnProgress } from '../../edge/media/progress.ts';
import { ensureChromium } from './chromium.ts';

/** What every experiment needs, installed where this process may. */
export async function ensureLab(onProgress: OnProgress): Promise<void> {
  await ensureChromium(onProgress);
}
