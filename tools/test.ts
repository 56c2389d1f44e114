import { main as buildPlugin } from './build.ts';
import { ensureTestTools } from './setup/ensure-test-tools.ts';
import { liveStep, releaseStep, staticSteps, unitStep } from './steps.ts';
import { playwrightStep } from './testing/playwright-step.ts';
import { pythonSteps } from './testing/pytest-step.ts';
import { runStages } from './testing/run-stages.ts';

export const help = `
npm test

The gate: format, lint, types, unit tests, and what a user relies on, end to end in a real Chromium, Firefox and
WebKit, in ten to thirteen minutes on two quiet cores. Installs the browsers and ffmpeg where they are missing (as root,
with apt), and with CI=true nginx and Varnish. A test that needs something else of the machine is skipped; the end lists
why, with the command that installs it. A test in TypeScript that fails is tried once more; if it passes then, it is
listed as flaky. The last line is 'N passed, N failed, N skipped'.

npm run test:all runs everything; npm run check -- --changed only what a change touches.
`;

export async function main(): Promise<void> {
  const python = await ensureTestTools('gate');
  await buildPlugin();
  await runStages([
    [
      // Run three tests at a time on two cores, beside the computing steps, because these tests mostly wait for
      // playback.
      [playwrightStep('behavior', 3)],
      [unitStep, ...pythonSteps(python, ['-m', 'not long']), ...staticSteps, releaseStep],
    ],
    // Measuring tests run alone, because other work would change their results.
    [[playwrightStep('measured', 1)], [liveStep]],
  ]);
}
