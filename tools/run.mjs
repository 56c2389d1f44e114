// The one entry point of every npm script. It runs before anything is installed, so it uses nothing but
// Node: it brings node_modules up to date with the lock file, then hands over to tools/main.ts.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.installed-from');

function fail(message) {
  console.error(`dashjs-sammy: ${message}`);
  process.exit(1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old; install Node 20.19 or newer`);
}

const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash;

/** `npm ci` begins by deleting node_modules: two at a time would delete each other's. */
function install() {
  const mine = join(root, '.installing');
  const release = waitForTurn(mine);
  try {
    // Whoever was first has done it.
    if (isInstalled()) return;
    console.error('Installing dependencies (npm ci) ...');
    const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    if (npm.status !== 0) fail('npm ci failed; check the network and run the command again');
    writeFileSync(stamp, lockHash);
  } finally {
    release();
  }
}

/** Makes the file when no living process has it, and returns what deletes it. It holds the owner's process id. */
function waitForTurn(file) {
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      const release = () => rmSync(file, { force: true });
      process.once('exit', release);
      return release;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN;
    if (owner > 0 && !isAlive(owner)) rmSync(file, { force: true });
    else if (!waited) console.error('Waiting for another command, which is installing dependencies ...');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's is alive.
    return error.code === 'EPERM';
  }
}

if (!isInstalled()) install();

const child = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'tools', 'main.ts'), ...process.argv.slice(2)],
  // npm runs scripts in the package's root; relative paths are meant from where the user typed the command.
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' },
);
// Whoever ends the launcher means the command: it gets the chance to clean up, and nothing is left behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm passes a signal to its shell only, which dies of it without a word to us.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill('SIGTERM');
}, 500).unref();
child.on('exit', (status, signal) => {
  process.exitCode = status ?? (signal === 'SIGINT' ? 130 : 143);
});
