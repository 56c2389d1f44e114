import { createNamespace, withNamespaces } from '../system/namespaces/namespaces.ts';
import { runQuietly } from '../system/run-quietly.ts';

/** The interface's name in both namespaces, and their addresses. */
export const VETH = { interface: 'pace0', server: '10.213.77.1', client: '10.213.77.2' } as const;

export interface VethOptions {
  /** The congestion control of all sockets in the server's namespace. */
  readonly congestionControl: string;
  /**
   * Minimum, initial and maximum receive buffer of the client, as in net.ipv4.tcp_rmem. The kernel's default if absent.
   */
  readonly receiveBuffer?: string;
}

/**
 * Creates two network namespaces, connected by a veth with an MTU of 1500, passes their names to `use`, and deletes
 * them when `use` has ended. A veth has no delay, and on such short round trips Linux sends up to 64 kB at once
 * (tcp_tso_rtt_log). The server's namespace disables that, because it does not happen on viewers' round trips. Needs
 * root and ip.
 */
export async function withVethLink(
  { congestionControl, receiveBuffer }: VethOptions,
  use: (server: string, client: string) => Promise<void>,
): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('only root can make network namespaces');
  const [server, client] = [createNamespace('server'), createNamespace('client')];
  const ip = (...args: string[]) => runQuietly('ip', args);
  await withNamespaces([server, client], undefined, async () => {
    for (const namespace of [server, client]) await ip('-n', namespace, 'link', 'set', 'lo', 'up');
    const peer = ['peer', 'name', VETH.interface, 'netns', client];
    await ip('-n', server, 'link', 'add', VETH.interface, 'type', 'veth', ...peer);
    for (const [namespace, address] of [
      [server, VETH.server],
      [client, VETH.client],
    ] as const) {
      await ip('-n', namespace, 'addr', 'add', `${address}/30`, 'dev', VETH.interface);
      await ip('-n', namespace, 'link', 'set', VETH.interface, 'mtu', '1500', 'up');
    }
    if (receiveBuffer !== undefined)
      await ip('netns', 'exec', client, 'sysctl', '-qw', `net.ipv4.tcp_rmem=${receiveBuffer}`);
    const settings = ['net.ipv4.tcp_tso_rtt_log=0', `net.ipv4.tcp_congestion_control=${congestionControl}`];
    await ip('netns', 'exec', server, 'sysctl', '-qw', ...settings);
    await use(server, client);
  });
}

/**
 * Returns a command line that runs in the namespace, if one is given. `ip` replaces itself with the command, so the
 * process id stays the same.
 */
export const inNamespace = (
  namespace: string | undefined,
  program: string,
  args: readonly string[],
): [program: string, args: string[]] =>
  namespace === undefined ? [program, [...args]] : ['ip', ['netns', 'exec', namespace, program, ...args]];
