import type { Experiment } from '../../src/experiment/experiment.ts';
import { isCluster } from '../cluster.ts';
import {
  FASTLY_CONGESTION_CONTROLS,
  parseCongestionControl,
  type CongestionControlRule,
} from '../congestion-control.ts';
import { pageOrigin } from '../cors.ts';
import { forwardedHeader } from '../headers/forwarded-headers.ts';
import { parseExperiments } from '../experiments.ts';
import { parseOrigin } from '../via.ts';
import { paceLimits, type PaceLimits } from '../policy.ts';

/** The name under which the service's config store is linked. */
export const CONFIG_STORE = 'sammy';

/** The config store's keys. Every value is text; a key that is missing or empty means its default. */
export interface StoreValues {
  /** The content's address: http(s)://HOST[:PORT][/PATH]. Its host is the service's backend `origin`. */
  readonly origin?: string;
  /** The lowest pace, kbit/s. */
  readonly floor_kbps?: string;
  /** The highest pace, kbit/s. */
  readonly ceiling_kbps?: string;
  /** `paced`, the default, or `unpaced`: how players without the plug-in are served. */
  readonly foreign_players?: string;
  /** The lowest pace for players without the plug-in, kbit/s; 3000 by default. */
  readonly foreign_floor_kbps?: string;
  /** Further origins below /via/: http(s)://HOST[:PORT], separated by spaces. */
  readonly allowed_origins?: string;
  /** Pages whose players send credentials: http(s)://HOST[:PORT], separated by spaces. */
  readonly credentials_origins?: string;
  /** Request headers that the main origin gets besides, such as Authorization, separated by spaces. */
  readonly forward_headers?: string;
  /** `off`, the kill switch, serves everything unpaced; `on` is the default. */
  readonly pacing?: string;
  /** cubic, reno or bbr, or paced=NAME,unpaced=NAME: the congestion control that VCL sets on the client's socket. */
  readonly congestion_control?: string;
  /** The experiments, as JSON for dashjs-sammy/experiment. */
  readonly experiments?: string;
  /**
   * The part of the network for experiments: a name in which {pop} is replaced by the POP and {asn} by the client's AS; the
   * default is {pop}.
   */
  readonly cluster?: string;
  /** `on` accepts beacons of sessions, and writes them to the log endpoint `sammy-sessions`; `off` is the default. */
  readonly sessions?: string;
}

export interface ServiceConfig {
  readonly origin: string;
  readonly limits: PaceLimits;
  readonly allowed: readonly string[];
  readonly credentialsOrigins: readonly string[];
  readonly forwardHeaders: readonly string[];
  readonly congestionControl: CongestionControlRule | null;
  readonly experiments: readonly Experiment[];
  /** `{pop}` in it stands for the POP, `{asn}` for the client's autonomous system. */
  readonly cluster: string;
  readonly takesSessions: boolean;
  /** One line for each invalid value. A service cannot refuse to start; it serves unpaced, and reports these lines. */
  readonly problems: readonly string[];
}

/** Reads the operator's settings. Called for every request, so that a change needs no deployment. Never throws. */
export function readConfig(get: (key: keyof StoreValues) => string | null): ServiceConfig {
  const problems: string[] = [];
  const text = (key: keyof StoreValues): string => get(key)?.trim() ?? '';
  const rate = (key: keyof StoreValues): number | undefined =>
    text(key) === '' ? undefined : Number(text(key));

  const pacing = text('pacing') || 'on';
  if (!['on', 'off'].includes(pacing)) problems.push(`pacing is '${pacing}'; expected on or off`);
  const sessions = text('sessions') || 'off';
  if (!['on', 'off'].includes(sessions)) problems.push(`sessions is '${sessions}'; expected on or off`);
  const foreign = text('foreign_players') || 'paced';
  if (!['paced', 'unpaced'].includes(foreign))
    problems.push(`foreign_players is '${foreign}'; expected paced or unpaced`);
  let limits = paceLimits({ switchedOff: true });
  try {
    const [floor_kbps, ceiling_kbps] = [rate('floor_kbps'), rate('ceiling_kbps')];
    const foreign_floor_kbps = rate('foreign_floor_kbps');
    limits = paceLimits({
      ...(floor_kbps !== undefined && { floor_kbps }),
      ...(ceiling_kbps !== undefined && { ceiling_kbps }),
      ...(foreign_floor_kbps !== undefined && { foreign_floor_kbps }),
      pacesForeign: foreign === 'paced',
      // Any value except `on` disables pacing, so that a mistyped `off` works in an emergency.
      switchedOff: pacing !== 'on',
    });
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  let congestionControl: CongestionControlRule | null = null;
  try {
    const asked = text('congestion_control');
    if (asked !== '') {
      congestionControl = parseCongestionControl('congestion_control', asked, FASTLY_CONGESTION_CONTROLS);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  // Invalid entries are skipped.
  const entries = (key: keyof StoreValues, read: (entry: string) => string): string[] =>
    text(key)
      .split(/\s+/)
      .filter(Boolean)
      .flatMap((entry) => {
        try {
          return [read(entry)];
        } catch (error) {
          problems.push(error instanceof Error ? error.message : String(error));
          return [];
        }
      });
  const cluster = text('cluster') || '{pop}';
  // An example of Fastly's POP names, which have three or four letters and digits.
  const isName = isCluster(cluster.replaceAll('{pop}', 'EWR1'));
  if (!isName)
    problems.push(
      `cluster is '${cluster}'; expected a name with {pop} or {asn} in it; there is no experiment`,
    );
  return {
    origin: text('origin'),
    limits,
    allowed: entries('allowed_origins', parseOrigin),
    credentialsOrigins: entries('credentials_origins', (entry) => pageOrigin('credentials_origins', entry)),
    forwardHeaders: entries('forward_headers', (entry) => forwardedHeader('forward_headers', entry)),
    congestionControl,
    experiments:
      text('experiments') === '' || !isName
        ? []
        : parseExperiments(text('experiments'), (line) => problems.push(line)),
    cluster: isName ? cluster : '{pop}',
    takesSessions: sessions === 'on',
    problems,
  };
}
