import type { Kbps } from '../src/units.ts';

/**
 * The congestion control of responses: one for those that are paced, one for the others. Both always, because VCL can
 * set a socket's but not take it back: a response without one would be served with that of the response before it.
 */
export interface CongestionControlRule {
  readonly paced: string;
  readonly unpaced: string;
}

/** What Fastly's client.socket.congestion_algorithm takes; cubic is its default. */
export const FASTLY_CONGESTION_CONTROLS = ['cubic', 'reno', 'bbr'] as const;

/** As in the kernel, which knows no longer names (TCP_CA_NAME_MAX). */
const NAME = '[A-Za-z0-9_-]{1,15}';
const BOTH = new RegExp(`^paced=(${NAME}),unpaced=(${NAME})$`);
const ONE = new RegExp(`^${NAME}$`);

/** Reads `NAME` or `paced=NAME,unpaced=NAME`, of the `known` names where they are given. Throws an Error that names the field. */
export function parseCongestionControl(
  field: string,
  text: string,
  known?: readonly string[],
): CongestionControlRule {
  const [, paced = text, unpaced = text] = BOTH.exec(text) ?? [];
  const usable = [paced, unpaced].every((name) => ONE.test(name) && (known?.includes(name) ?? true));
  if (usable) return { paced, unpaced };
  const names = known ? `, each NAME one of ${known.join(', ')}` : '';
  throw new Error(`${field} is '${text}'; expected NAME or paced=NAME,unpaced=NAME${names}`);
}

/** The congestion control of a response that has this pace. */
export const chooseCongestionControl = (rule: CongestionControlRule, pace: Kbps | null): string =>
  pace === null ? rule.unpaced : rule.paced;
