import { createNamespace, withNamespaces } from '../../system/namespaces/namespaces.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/** The address of the server. */
export const SERVER_ADDRESS = '10.213.78.1';
const [SERVER_GATEWAY, CLIENT_ADDRESS, CLIENT_GATEWAY] = ['10.213.78.2', '10.213.79.1', '10.213.79.2'];

export interface BottleneckOptions {
  readonly rate_kbps: number;
  readonly queue_bytes: number;
}

/** The size of tbf's bucket: more than one packet, because tbf never sends a packet that is larger than its bucket. */
const BURST_BYTES = 4000;

/**
 * Creates three network namespaces for a server, a client and a router between them, and deletes them when `use` or the
 * process has ended. The router's queue (tbf, drop-tail) is the bottleneck. It is not on the server, because TCP keeps
 * the queues of its own machine short. Only the queue adds delay. Needs root, ip and tc.
 */
export async function withBottleneck<Result>(
  { rate_kbps, queue_bytes }: BottleneckOptions,
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
    return use(server, client);
  });
}
