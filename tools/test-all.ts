import { main as buildPlugin } from './build.ts';
import { ensureTestTools } from './setup/ensure-test-tools.ts';
import { liveStep, longStep, releaseStep, siteStep, staticSteps, unitStep } from './steps.ts';
import { playwrightStep } from './testing/playwright-step.ts';
import { pythonSteps } from './testing/pytest-step.ts';
import { runStages } from './testing/run-stages.ts';

export const help = `
npm run test:all

Everything: the gate, and full matrices, fuzzers, Viceroy, Slurm, the virtual machine, sweeps; each property with 10,000
cases of a seed that is drawn and printed (SEED=N tries those of another run again). With CI=true and as root it first
installs all that the tests need: Viceroy takes a quarter of an hour, mahimahi replaces the machine's iptables. The end
says how long each part took. The last line is 'N passed, N failed, N skipped'.
`;

export async function main(): Promise<void> {
  process.env.CASES ??= '10000';
  process.env.SEED ??= String(Math.floor(Math.random() * 2 ** 31));
  console.log(`properties: ${process.env.CASES} cases each, SEED=${process.env.SEED}`);
  const python = await ensureTestTools('everything');
  await buildPlugin();
  await runStages([
    [
      [playwrightStep('behavior', 2), playwrightStep('long', 2)],
      [unitStep, ...pythonSteps(python, ['-m', '']), ...staticSteps, releaseStep],
    ],
    [[playwrightStep('measured', 1)]],
    [[liveStep, longStep, siteStep]],
    [[playwrightStep('long measured', 1)]],
  ]);
}
