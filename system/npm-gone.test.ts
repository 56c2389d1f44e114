import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FILE = JSON.stringify(join(import.meta.dirname, 'npm-gone.mjs'));
const CODE = `const { onNpmGone } = await import(${FILE});
  onNpmGone(() => { console.log('gone'); process.exit(); });
  console.log(process.pid);
  setTimeout(() => { console.log('outlived'); process.exit(); }, 3000);`;

/** Returns the last output of a process whose parent received the signal. `npm` is the value of npm's environment variable. */
async function untilEnd(
  command: readonly string[],
  npm: string | undefined,
  signal: 'SIGTERM' | 'SIGHUP',
): Promise<string> {
  const [file = '', ...args] = command;
  const program = spawn(file, args, {
    env: { ...process.env, CODE, npm_command: npm },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  program.stdout.on('data', (text: Buffer) => {
    said += text.toString();
    if (said.includes('\n') && program.exitCode === null) program.kill(signal);
  });
  await once(program.stdout, 'end');
  return said.trim().split('\n').at(-1) ?? '';
}

const SCRIPT = '"$0" --input-type=module -e "$CODE"; true';
/** A shell that ends on SIGTERM without forwarding it, like npm's shell. */
const shell = ['sh', '-c', SCRIPT, process.execPath];
/** A process that starts a shell and does not forward SIGHUP, with npm's process title. */
const npm = (title: string): string[] => [
  process.execPath,
  '-e',
  `process.title = '${title}';
  require('node:child_process').spawn('sh', ['-c', process.argv[1], process.execPath], { stdio: 'inherit' });
  setTimeout(() => {}, 5000);`,
  SCRIPT,
];

it.skipIf(process.platform === 'win32')(
  'ends only the processes that npm started when npm ends',
  async () => {
    const ends = [untilEnd(shell, 'exec', 'SIGTERM'), untilEnd(shell, undefined, 'SIGTERM')];
    expect(await Promise.all(ends)).toEqual(['gone', 'outlived']);
  },
  60_000,
);

it.skipIf(process.platform !== 'linux')(
  "ends them even if npm's shell is left, as after SIGHUP",
  async () => {
    const ends = [untilEnd(npm('npm exec edge'), 'exec', 'SIGHUP'), untilEnd(npm('bash'), 'exec', 'SIGHUP')];
    expect(await Promise.all(ends)).toEqual(['gone', 'outlived']);
  },
  60_000,
);
