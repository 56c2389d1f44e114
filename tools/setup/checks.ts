import { readFileSync } from 'node:fs';
import { findViceroy, VICEROY_VERSION } from '../../edge/compute/install.ts';
import { aptCommand } from '../../system/apt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { findVarnish } from '../../edge/vcl/varnish.ts';
import type { Check } from '../../emulation/host/setup/check.ts';
import { INSTALL_CHROMIUM, findChromium } from '../../emulation/host/setup/chromium.ts';
import { INSTALL_FIREFOX, findFirefox } from './firefox.ts';
import { INSTALL_WEBKIT, findWebKit } from './webkit.ts';
import { findFfmpeg, missingEncoders } from '../../media/ffmpeg.ts';

const lacking = (what: string): never => {
  throw new Error(what);
};

const program = (name: string): string => findExecutable(name) ?? lacking('not on the PATH');

const firstLine = async (name: string, ...args: string[]): Promise<string> => {
  const output = await runQuietly(program(name), args);
  return output.split('\n')[0] ?? '';
};

const congestionControls = (): string => {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').trim();
  } catch {
    return lacking('the kernel names none');
  }
};

/** The checks of `npm run doctor`; to add one, add an entry. */
export const checks: readonly Check[] = [
  {
    name: 'Node',
    neededBy: 'everything',
    required: true,
    // tools/run.mjs has already rejected older versions of Node.
    find: () => process.versions.node,
    without: 'nothing runs',
    mend: 'install Node 20.19 or newer',
  },
  {
    name: 'ffmpeg (VP9, Opus)',
    neededBy: 'start, test, media',
    required: true,
    find: async () => {
      const { ffmpeg } = findFfmpeg() ?? lacking('ffmpeg and ffprobe are not both on the PATH');
      const missing = await missingEncoders(ffmpeg);
      return missing.length === 0 ? ffmpeg : lacking(`${ffmpeg} lacks ${missing.join(', ')}`);
    },
    without: 'no video can be made: npm start, npm test and npm run media fail',
    mend: aptCommand('ffmpeg'),
  },
  {
    name: 'Chromium',
    neededBy: 'test, lab',
    required: true,
    find: () => findChromium() ?? lacking('neither on the PATH nor installed by Playwright'),
    without:
      'npm test and the lab with a browser fail; lab run --link virtual works, and npm start in your own browser',
    mend: INSTALL_CHROMIUM,
  },
  {
    name: 'Firefox',
    neededBy: 'test',
    required: false,
    find: () => findFirefox() ?? lacking('not on the PATH'),
    without: 'its end-to-end tests are skipped',
    mend: INSTALL_FIREFOX,
  },
  {
    name: 'WebKit',
    neededBy: 'test',
    required: false,
    find: () => findWebKit()?.driver ?? lacking('WebKitWebDriver and Xvfb are not both on the PATH'),
    without: 'its end-to-end tests are skipped',
    mend: INSTALL_WEBKIT,
  },
  {
    name: 'kernel pacing',
    neededBy: 'start, edge, bench',
    required: false,
    find: async () => {
      if (process.platform !== 'linux') return lacking(`not on ${process.platform}: the edge serves unpaced`);
      await import('koffi');
      return 'SO_MAX_PACING_RATE through koffi';
    },
    without: 'the edge serves unpaced and says so in its receipts',
    mend: 'run on Linux; npm ci brings koffi',
  },
  {
    name: 'congestion control',
    neededBy: 'start, edge, lab',
    required: false,
    find: congestionControls,
    without: "connections use the kernel's default; an edge with another setting does not start",
    mend: 'sudo modprobe -a tcp_bbr tcp_cubic',
  },
  {
    name: 'pip',
    neededBy: 'start (real footage)',
    required: false,
    find: () => firstLine(findExecutable('python3') ? 'python3' : 'python', '-m', 'pip', '--version'),
    without: 'the demo shows a generated video instead of real footage',
    mend: aptCommand('python3-pip'),
  },
  {
    name: 'root',
    neededBy: 'lab; cubic in start, edge',
    required: false,
    find: () => (process.getuid?.() === 0 ? 'yes' : lacking('no')),
    without:
      'no real links in the lab, and no --bottleneck in the demo; lab run --link virtual, world, trial and search work',
    mend: 'run it with sudo',
  },
  {
    name: 'network namespaces',
    neededBy: 'lab, p4',
    required: false,
    find: async () => {
      await runQuietly(program('unshare'), ['--net', 'true']);
      return 'yes';
    },
    without: 'no real links, in the lab or with the P4 switch; virtual time works',
    mend: 'run it with sudo, on Linux',
  },
  {
    name: 'mahimahi',
    neededBy: 'lab',
    required: false,
    find: () => program('mm-link'),
    without: 'no real links in the lab, except with --link p4; lab run --link virtual works',
    mend: 'sudo npm run lab -- run single, which installs it from Debian bullseye, and replaces iptables',
  },
  {
    name: 'Varnish',
    neededBy: 'test (the chain)',
    required: false,
    find: () => findVarnish() ?? lacking('neither on the PATH nor in /usr/sbin'),
    without: 'no chain of Varnish and Compute; its tests are skipped',
    mend: aptCommand('varnish', 'varnish-modules'),
  },
  {
    name: 'Viceroy',
    neededBy: 'edge:compute, test (the chain)',
    required: false,
    find: async () => (await findViceroy()) ?? lacking(`no Viceroy ${VICEROY_VERSION}`),
    without: 'no Compute service on this machine; its tests are skipped',
    mend: 'npm run edge:compute -- --install',
  },
  {
    name: 'openssl',
    neededBy: 'test (HTTP/2 over TLS)',
    required: true,
    find: () => program('openssl'),
    without: 'tests of HTTP/2 over TLS fail',
    mend: aptCommand('openssl'),
  },
  {
    name: 'nginx',
    neededBy: 'bench/load.ts',
    required: false,
    find: () => program('nginx'),
    without: 'no nginx beside the others in bench/load.ts, and the tests of the module are skipped',
    mend: aptCommand('nginx-light'),
  },
  {
    name: 'Fastly CLI',
    neededBy: 'deploying to Fastly',
    required: false,
    find: () => program('fastly'),
    without: 'no deploying to Fastly from this machine',
    mend: 'npm install --global @fastly/cli',
  },
];
