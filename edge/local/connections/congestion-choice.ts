import type { Connection } from './connection.ts';
import type { HttpRequest } from '../http-server.ts';
import type { EdgeStats } from '../response-event.ts';

/**
 * Lets a request choose its connection's congestion control with `cc=NAME`, which is taken off its query. Only names
 * that the kernel has loaded: as root, others would load a module.
 */
export const congestionChoice =
  (available: readonly string[], stats: EdgeStats) =>
  ({ socket, kernel }: Connection, message: HttpRequest): void => {
    const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s);
    const parts = query.split('&');
    const name = parts.find((part) => part.startsWith('cc='))?.slice(3);
    if (name === undefined) return;
    const rest = parts.filter((part) => !part.startsWith('cc=')).join('&');
    message.url = rest === '' ? path : `${path}?${rest}`;
    const refused = !available.includes(name) || kernel?.setCongestionControl(socket, name) !== null;
    if (refused) stats.refusedCongestionControls += 1;
  };
