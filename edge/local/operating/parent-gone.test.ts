import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FILE = JSON.stringify(join(import.meta.dirname, 'parent-gone.ts'));

/** A shell that starts a process and ends by SIGTERM without passing it on, as npm's does; `npm` as npm says of itself. */
async function endOf(npm: string | undefined): Promise<string> {
  const code = `const { onNpmGone } = await import(${FILE});
    onNpmGone(() => { console.log('gone'); process.exit(); });
    console.log(process.pid);
    setTimeout(() => { console.log('outlived'); process.exit(); }, 3000);`;
  const script = '"$0" --import tsx --input-type=module -e "$1"; true';
  const shell = spawn('sh', ['-c', script, process.execPath, code], {
    env: { ...process.env, npm_command: npm },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  shell.stdout.on('data', (text: Buffer) => {
    said += text.toString();
    if (said.includes('\n') && shell.exitCode === null) shell.kill('SIGTERM');
  });
  await once(shell.stdout, 'end');
  return said.trim().split('\n').at(-1) ?? '';
}

it.skipIf(process.platform === 'win32')(
  'ends what npm has started when npm is gone, and nothing else',
  async () => {
    expect(await Promise.all([endOf('exec'), endOf(undefined)])).toEqual(['gone', 'outlived']);
  },
  60_000,
);
