import { ensureTestContent } from '../edge/media/footage.ts';
import { main as buildPlugin } from './build.ts';
import { ensureChromium } from './setup/chromium.ts';
import { endToEndStep, quickSteps, runSteps } from './steps.ts';

export const help = `
npm test

Everything: format, lint, types, unit tests, then end to end in a real Chromium. Installs a browser and ffmpeg
where they are missing (as root, with apt). The last line is 'N passed, N failed, N skipped'.
`;

export async function main(): Promise<void> {
  // Before the first test, so that a missing tool is one clear line and not a hundred failures.
  await ensureChromium(({ task }) => {
    console.error(task);
  });
  await ensureTestContent();
  await buildPlugin();
  await runSteps([...quickSteps, endToEndStep]);
}
