import type { Kbps } from '../src/units.ts';

/**
 * The congestion controls for paced and for unpaced responses. Both are required, because VCL can set but not reset a
 * socket's congestion control: a response without a setting would use the setting of the previous response.
 */
export interface CongestionControlRule {
  readonly paced: string;
  readonly unpaced: string;
}

/** The values of Fastly's client.socket.congestion_algorithm. The default is cubic. */
export const FASTLY_CONGESTION_CONTROLS = ['cubic', 'reno', 'bbr'] as const;

/** A valid name. The kernel allows 15 characters (TCP_CA_NAME_MAX is 16, including the final NUL). */
const NAME = '[A-Za-z0-9_-]{1,15}';
const BOTH = new RegExp(`^paced=(${NAME}),unpaced=(${NAME})$`);
const ONE = new RegExp(`^${NAME}$`);

/** Reads `NAME` or `paced=NAME,unpaced=NAME`; each must be one of `known`, if given. Throws an Error that names the field. */
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

/** Returns the congestion control for a response with the given pace. */
export const chooseCongestionControl = (rule: CongestionControlRule, pace: Kbps | null): string =>
  pace === null ? rule.unpaced : rule.paced;
