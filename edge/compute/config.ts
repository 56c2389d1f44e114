import { paceLimits, type PaceLimits } from '../policy.ts';

/** The name under which the service's config store is linked. */
export const CONFIG_STORE = 'sammy';

/** Its keys. Every value is text; a key that is missing or empty means its default. */
export const CONFIG_KEYS = {
  /** Where the content is: http(s)://HOST[:PORT][/PATH]. Its host is the service's backend `origin`. */
  origin: 'origin',
  /** No pace below this, kbit/s. */
  floor: 'floor_kbps',
  /** No pace above this, kbit/s. */
  ceiling: 'ceiling_kbps',
  /** Further origins below /via/: http(s)://HOST[:PORT], separated by spaces. */
  allowed: 'allowed_origins',
  /** `off`, the kill switch, serves everything unpaced; `on` is the default. */
  pacing: 'pacing',
  /** cubic, reno or bbr: what VCL sets on the client's socket. */
  congestionControl: 'congestion_control',
} as const;

export interface ServiceConfig {
  readonly origin: string;
  readonly limits: PaceLimits;
  readonly allowed: readonly string[];
  readonly congestionControl: string | null;
  /** What was wrong, one line each. A service has no start at which to refuse; it serves unpaced, and says why. */
  readonly problems: readonly string[];
}

/** The operator's settings, read anew for every request, so that a change needs no deploy. Never throws. */
export function readConfig(get: (key: string) => string | null): ServiceConfig {
  const problems: string[] = [];
  const text = (key: string): string => get(key)?.trim() ?? '';
  const rate = (key: string): number | undefined => (text(key) === '' ? undefined : Number(text(key)));

  const pacing = text(CONFIG_KEYS.pacing) || 'on';
  if (!['on', 'off'].includes(pacing)) problems.push(`pacing is '${pacing}'; expected on or off`);
  const congestionControl = text(CONFIG_KEYS.congestionControl);
  const knownControl = /^(cubic|reno|bbr)$/.test(congestionControl);
  if (congestionControl !== '' && !knownControl) {
    problems.push(`congestion_control is '${congestionControl}'; expected cubic, reno or bbr`);
  }
  let limits = paceLimits({ switchedOff: true });
  try {
    const [floor_kbps, ceiling_kbps] = [rate(CONFIG_KEYS.floor), rate(CONFIG_KEYS.ceiling)];
    limits = paceLimits({
      ...(floor_kbps !== undefined && { floor_kbps }),
      ...(ceiling_kbps !== undefined && { ceiling_kbps }),
      // Whoever mistypes `off` in an emergency means it.
      switchedOff: pacing !== 'on',
    });
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  return {
    origin: text(CONFIG_KEYS.origin),
    limits,
    allowed: text(CONFIG_KEYS.allowed).split(/\s+/).filter(Boolean),
    congestionControl: knownControl ? congestionControl : null,
    problems,
  };
}
