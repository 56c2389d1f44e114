import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { progressPrinter } from '../../system/progress.ts';
import { ensurePython } from '../../system/python.ts';
import { AREAS, type AreaName } from '../mutations/areas.ts';
import { mutationStep } from '../mutations/mutation-step.ts';
import { liveStep, releaseStep, siteStep, staticSteps, unitStep } from '../steps.ts';
import { playwrightStep } from '../testing/playwright-step.ts';
import { pythonSteps } from '../testing/pytest-step.ts';
import { commandStep, type Step } from '../testing/step.ts';
import { vitestStep } from '../testing/vitest-step.ts';
import type { Part } from './part.ts';

const oneAfterTheOther = (...steps: Step[]) => [[steps] as const];

/** A part that runs test files named `x.long.test.ts`. */
const long = (name: string, about: string, deadline_min: number, ...files: string[]): Part => ({
  name,
  about,
  deadline_min,
  files,
  stages: () => oneAfterTheOther(vitestStep(`long tests: ${name}`, ['--project=long', ...files])),
});

/** A part that runs files of e2e/long/, in two browsers at a time, because these tests mostly wait for playback. */
const browsers = (name: string, about: string, deadline_min: number, ...files: string[]): Part => ({
  name,
  about,
  deadline_min,
  files,
  stages: () => oneAfterTheOther(playwrightStep('long', 2, files)),
});

/** A part that runs files of e2e/long/measured/, whose tests measure throughput. */
const measured = (name: string, about: string, deadline_min: number, ...files: string[]): Part => ({
  name,
  about,
  deadline_min,
  files,
  stages: () => oneAfterTheOther(playwrightStep('long measured', 1, files)),
});

/** A part that runs one of the project's own commands, and fails if the command fails. */
const command = (name: string, about: string, deadline_min: number, ...args: string[]): Part => ({
  name,
  about,
  deadline_min,
  needsNoSetup: true,
  stages: () => oneAfterTheOther(commandStep(about, ...args)),
});

const mutations = (area: AreaName): Part => ({
  name: `mutants-${area}`,
  about: `changes in single tokens of ${AREAS[area].mutate.join(', ')}: tests that find them`,
  deadline_min: 60,
  needsNoSetup: true,
  stages: () => oneAfterTheOther(mutationStep(area)),
});

const LONG_E2E = 'e2e/long/';
const MEASURED = `${LONG_E2E}measured/`;
const MACHINE_FILES = ['emulation/host/machine/', 'emulation/cli/'];

async function analysisStages() {
  const print = progressPrinter();
  const python = await ensurePython(print, ['search', 'test']).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  print.end();
  return oneAfterTheOther(...pythonSteps(python, ['-m', '']));
}

/** All parts of `npm run test:all`, in the order in which they run. */
export const PARTS: readonly Part[] = [
  {
    name: 'sources',
    about: 'format, lint, types, imports, snippets, the site, a release',
    deadline_min: 20,
    stages: () => oneAfterTheOther(...staticSteps, siteStep, releaseStep),
  },
  {
    name: 'unit',
    about: 'unit tests, each property with 10,000 cases',
    deadline_min: 90,
    stages: () => oneAfterTheOther(unitStep),
  },
  {
    name: 'analysis',
    about: 'lint and all tests of analysis/',
    deadline_min: 60,
    stages: analysisStages,
  },
  {
    name: 'live',
    about: 'tests that need root, namespaces, nginx or Varnish',
    deadline_min: 20,
    stages: () => oneAfterTheOther(liveStep),
  },
  {
    name: 'behavior',
    about: "the gate's end-to-end tests",
    deadline_min: 40,
    stages: () => oneAfterTheOther(playwrightStep('behavior', 2)),
  },
  {
    name: 'measured',
    about: "the gate's end-to-end tests that measure",
    deadline_min: 20,
    stages: () => oneAfterTheOther(playwrightStep('measured', 1)),
  },
  browsers(
    'players',
    'all behaviors with all versions of the players',
    60,
    ...['cmcd', 'contract', 'experiment', 'origins'].map((each) => `${LONG_E2E}${each}.spec.ts`),
  ),
  browsers('firefox', 'all behaviors in Firefox', 30, `${LONG_E2E}firefox.spec.ts`),
  browsers('webkit', 'all behaviors in WebKit', 30, `${LONG_E2E}webkit.spec.ts`),
  measured(
    'playback',
    'playback on bottlenecks, at low latency, after a collapse',
    30,
    ...['bottleneck', 'collapse', 'low-latency', 'playback'].map((each) => `${MEASURED}${each}.spec.ts`),
  ),
  measured('others', 'neighbors and other players', 20, `${MEASURED}other-players.spec.ts`),
  measured('chain', 'Varnish before Compute in Viceroy, in a browser', 30, `${MEASURED}chain.spec.ts`),
  measured('http3', "nginx's HTTP/3 in a browser", 20, `${MEASURED}http3.spec.ts`),
  measured('lab', "the lab's sessions in Chromium", 40, `${MEASURED}lab.spec.ts`),
  measured('trial', 'a trial in Chromium', 40, `${MEASURED}trial.spec.ts`),
  measured('slurm', 'a study on a Slurm cluster', 30, `${MEASURED}slurm.spec.ts`),
  long('faults', 'faults and odd worlds: dash.js and hls.js in a page in virtual time', 40, 'e2e/virtual/'),
  long('manifests', 'odd manifests', 20, 'src/'),
  long('edge', 'attacks on the Node edge, its reload and outages', 40, 'edge/local/', 'edge/sessions/'),
  long(
    'edges',
    'every edge against one table; seeded fuzzers',
    60,
    ...['edge/cases', 'edge/chain', 'edge/fuzz/', 'edge/haproxy/', 'edge/nginx/', 'edge/vcl/'],
  ),
  long('load', 'the edge under load', 20, 'bench/'),
  long('buffers', 'the buffer-sizing lab', 40, 'buffers/'),
  {
    name: 'machine',
    about: 'the virtual machine; builds its kernel',
    deadline_min: 90,
    files: MACHINE_FILES,
    stages: () =>
      oneAfterTheOther(
        commandStep('the virtual machine, built and checked by a transfer', 'lab', 'machine'),
        vitestStep('long tests: machine', ['--project=long', ...MACHINE_FILES]),
      ),
  },
  long(
    'studies',
    "the lab's studies in virtual time and on real links",
    60,
    ...['emulation/network/', 'emulation/player/', 'emulation/studies/'],
  ),
  long('p4', "the P4 compilers' own tests", 20, 'p4/'),
  long('transport', 'congestion controls in Rust, over UDP', 60, 'tools/transport/'),
  command('fuzz-edge', '100,000 inputs for the Node edge', 40, 'fuzz', 'edge'),
  command('fuzz-nginx', '100,000 inputs for nginx with AddressSanitizer', 40, 'fuzz', 'nginx'),
  command('fuzz-vcl', '100,000 inputs for Varnish', 40, 'fuzz', 'vcl'),
  command('fuzz-beacons', '20,000 hostile beacons', 20, 'fuzz', 'beacons'),
  command('fuzz-p4', '20,000 P4 programs and 1,000,000 frames', 40, 'fuzz', 'p4'),
  command('attack', 'attacks on the Node edge at full size', 20, 'bench', 'attack'),
  command(
    'pantheon',
    'congestion controls in virtual time, the quick form',
    30,
    ...['lab', 'run', 'pantheon', '--link', 'virtual', '--quick'],
    ...['--out', join(tmpdir(), `dashjs-sammy-pantheon-${process.pid}`)],
  ),
  command(
    'paper',
    "the gallery's verdicts, the quick form",
    60,
    ...['lab', 'run', 'paper', '--quick', '--jobs', '2'],
    ...['--out', join(tmpdir(), `dashjs-sammy-paper-${process.pid}`)],
  ),
  command('coverage', 'how often verdicts of experiments are false', 40, 'experiment', 'coverage'),
  ...(Object.keys(AREAS) as AreaName[]).map(mutations),
];
