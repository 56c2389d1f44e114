import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNamespace, withNamespaces } from '../../system/namespaces/namespaces.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/** The address of the server. */
export const SERVER_ADDRESS = '10.213.78.1';
const [SERVER_GATEWAY, CLIENT_ADDRESS, CLIENT_GATEWAY] = ['10.213.78.2', '10.213.79.1', '10.213.79.2'];

export interface BottleneckOptions {
  readonly rate_kbps: number;
  readonly queue_bytes: number;
  /** The share of packets that is lost on the way to the client, by chance; none when not given. Needs clang. */
  readonly loss?: number;
}

/** More than a packet, since tbf sends none that its bucket does not hold. */
const BURST_BYTES = 4000;

/**
 * Makes three network namespaces, a server's and a client's with a router between them whose queue (tbf, drop-tail) is the
 * bottleneck, and deletes them when `use` has ended, or the process. The queue is the router's, since TCP keeps short those of
 * its own machine. The path has no delay but the queue's. Needs root, ip and tc.
 */
export async function withBottleneck<Result>(
  { rate_kbps, queue_bytes, loss = 0 }: BottleneckOptions,
  use: (server: string, client: string) => Promise<Result>,
): Promise<Result> {
  if (process.getuid?.() !== 0) throw new Error('only root can make network namespaces');
  const [server, router, client] = [
    createNamespace('server'),
    createNamespace('router'),
    createNamespace('client'),
  ];
  const ip = (...args: string[]) => runQuietly('ip', args);
  return withNamespaces([server, router, client], undefined, async () => {
    for (const namespace of [server, router, client]) await ip('-n', namespace, 'link', 'set', 'lo', 'up');
    for (const [namespace, device, address, gateway] of [
      [server, 'neck-server', SERVER_ADDRESS, SERVER_GATEWAY],
      [client, 'neck-client', CLIENT_ADDRESS, CLIENT_GATEWAY],
    ] as const) {
      const peer = ['peer', 'name', device, 'netns', router];
      await ip('-n', namespace, 'link', 'add', 'neck0', 'type', 'veth', ...peer);
      await ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'neck0');
      await ip('-n', router, 'addr', 'add', `${gateway}/24`, 'dev', device);
      await ip('-n', namespace, 'link', 'set', 'neck0', 'up');
      await ip('-n', router, 'link', 'set', device, 'up');
      await ip('-n', namespace, 'route', 'add', 'default', 'via', gateway);
    }
    const settings = ['net.ipv4.tcp_tso_rtt_log=0', 'net.ipv4.tcp_no_metrics_save=1'];
    await ip('netns', 'exec', server, 'sysctl', '-qw', ...settings);
    await ip('netns', 'exec', router, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
    const tbf = ['rate', `${rate_kbps}kbit`, 'burst', String(BURST_BYTES), 'limit', String(queue_bytes)];
    await runQuietly('tc', ['-n', router, 'qdisc', 'add', 'dev', 'neck-client', 'root', 'tbf', ...tbf]);
    if (loss > 0) await dropAtRandom(router, 'neck-client', loss);
    return use(server, client);
  });
}

/** The kernel here has no netem, so a classifier in BPF drops what leaves the interface. */
async function dropAtRandom(namespace: string, device: string, loss: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-drop-'));
  try {
    const object = join(folder, 'drop.o');
    const source = fileURLToPath(new URL('drop.c', import.meta.url));
    const define = `-DLOSS_PPM=${Math.round(loss * 1e6)}`;
    await runQuietly('clang', ['-target', 'bpf', '-O2', '-g', define, '-c', source, '-o', object]);
    await runQuietly('tc', ['-n', namespace, 'qdisc', 'add', 'dev', device, 'clsact']);
    const program = ['bpf', 'direct-action', 'object-file', object, 'section', 'classifier'];
    await runQuietly('tc', ['-n', namespace, 'filter', 'add', 'dev', device, 'egress', ...program]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
