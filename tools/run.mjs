// The entry point of every npm script. It brings node_modules up to date with the lock file, then runs tools/main.ts.
// It runs before anything is installed, so it needs nothing but Node.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onNpmGone } from '../system/npm-gone.mjs';
import { printCommands } from './command-list.mjs';

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

// Print the list of commands even before anything is installed.
if (process.argv.length === 3 && process.argv[2] === 'help') {
  printCommands();
  process.exit(0);
}

const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
const lockHash = createHash('sha256').update(lock).digest('hex');
const isInstalled = () =>
  (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) || isInstalledByNpm();

/**
 * Whether the user's own `npm ci` or `npm install` has installed everything in the lock file, according to the list
 * that npm keeps in node_modules.
 */
function isInstalledByNpm() {
  const list = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages;
  const isThere = ([path, { integrity, optional }]) =>
    integrity === undefined || optional || installed[path]?.integrity === integrity;
  if (!Object.entries(JSON.parse(lock).packages).every(isThere)) return false;
  writeFileSync(stamp, lockHash);
  return true;
}

/** Runs `npm ci`. Only one process at a time may do this, because `npm ci` first deletes node_modules. */
function install() {
  const release = acquireLock(join(root, '.installing'));
  try {
    // Another process may have installed everything while this process waited.
    if (isInstalled()) return;
    console.error('Installing dependencies (npm ci), once, in about a minute ...');
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

/**
 * Creates a lock file that holds this process's id, and returns a function that deletes the file. Waits while another
 * process holds the lock. The file of a process that has ended is deleted.
 */
function acquireLock(file) {
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
    // The process is running, but belongs to another user.
    return error.code === 'EPERM';
  }
}

if (!isInstalled()) install();

const child = spawn(
  process.execPath,
  // Pass tsx as a URL: Node would resolve its name from the folder in which the command runs.
  ['--import', import.meta.resolve('tsx'), join(root, 'tools', 'main.ts'), ...process.argv.slice(2)],
  // npm runs scripts in the package's root. Relative paths refer to the folder in which the user ran the command.
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' },
);
// Forward signals to the command, so that it can clean up and leave nothing running.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
onNpmGone(() => child.kill('SIGTERM'));
child.on('exit', (status, signal) => {
  process.exitCode = status ?? (signal === 'SIGINT' ? 130 : 143);
});
