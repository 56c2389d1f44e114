import { congestionControls } from '../../edge/local/kernel/socket-options.ts';
import { findViceroy, VICEROY_VERSION } from '../../edge/compute/install.ts';
import { aptCommand } from '../../system/apt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { findVarnish } from '../../edge/vcl/varnish.ts';
import type { Check } from '../../emulation/host/setup/check.ts';
import {
  MAHIMAHI_INSTALLS_ITSELF,
  chromium,
  ffmpeg,
  kernelPacing,
  program,
  throwMissing,
} from '../../emulation/host/setup/common-checks.ts';
import { INSTALL_FIREFOX, findFirefox } from './firefox.ts';
import { INSTALL_WEBKIT, findWebKit } from './webkit.ts';

const firstLine = async (name: string, ...args: string[]): Promise<string> => {
  const output = await runQuietly(program(name), args);
  return output.split('\n')[0] ?? '';
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
    ...ffmpeg,
    neededBy: 'start, test, media',
    required: true,
    without: 'no video can be made: npm start, npm test and npm run media fail',
  },
  {
    ...chromium,
    neededBy: 'test, lab',
    required: true,
    without:
      'npm test and the lab with a browser fail; lab run --link virtual works, and npm start in your own browser',
  },
  {
    name: 'Firefox',
    neededBy: 'test',
    required: false,
    find: () => findFirefox() ?? throwMissing('not on the PATH'),
    without: 'its end-to-end tests are skipped',
    mend: INSTALL_FIREFOX,
  },
  {
    name: 'WebKit',
    neededBy: 'test',
    required: false,
    find: () => findWebKit()?.driver ?? throwMissing('WebKitWebDriver and Xvfb are not both on the PATH'),
    without: 'its end-to-end tests are skipped',
    mend: INSTALL_WEBKIT,
  },
  {
    ...kernelPacing,
    neededBy: 'start, edge, bench',
    required: false,
    without: 'the edge serves unpaced and says so in its receipts',
  },
  {
    name: 'congestion control',
    neededBy: 'start, edge, lab',
    required: false,
    find: async () =>
      (await congestionControls()).available.join(' ') || throwMissing('the kernel names none'),
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
    find: () => (process.getuid?.() === 0 ? 'yes' : throwMissing('no')),
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
    mend: MAHIMAHI_INSTALLS_ITSELF,
  },
  {
    name: 'Varnish',
    neededBy: 'test (the chain)',
    required: false,
    find: () => findVarnish() ?? throwMissing('neither on the PATH nor in /usr/sbin'),
    without: 'no chain of Varnish and Compute; its tests are skipped',
    mend: aptCommand('varnish', 'varnish-modules'),
  },
  {
    name: 'Viceroy',
    neededBy: 'edge:compute, test (the chain)',
    required: false,
    find: async () => (await findViceroy()) ?? throwMissing(`no Viceroy ${VICEROY_VERSION}`),
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
