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

/** The name of the config store that is linked to the service. */
export const CONFIG_STORE = 'sammy';

/** The config store's keys. All values are text. A missing or empty value means the default. */
export interface StoreValues {
  /** The URL of the content: http(s)://HOST[:PORT][/PATH]. The service's backend `origin` must be this host. */
  readonly origin?: string;
  /** The lowest pace, kbit/s. */
  readonly floor_kbps?: string;
  /** The highest pace, kbit/s. */
  readonly ceiling_kbps?: string;
  /** `paced` (default) or `unpaced`: how players without the plug-in are served. */
  readonly foreign_players?: string;
  /** The lowest pace for players without the plug-in, kbit/s; 3000 by default. */
  readonly foreign_floor_kbps?: string;
  /** Further origins that are available below /via/: http(s)://HOST[:PORT], separated by spaces. */
  readonly allowed_origins?: string;
  /** Pages whose players send credentials: http(s)://HOST[:PORT], separated by spaces. */
  readonly credentials_origins?: string;
  /** Additional request headers to forward to the main origin, such as Authorization, separated by spaces. */
  readonly forward_headers?: string;
  /** `on` (default) or `off`, the kill switch: everything is served unpaced. */
  readonly pacing?: string;
  /** The congestion control that VCL sets on the client's socket: cubic, reno or bbr, or paced=NAME,unpaced=NAME. */
  readonly congestion_control?: string;
  /** The experiments, as JSON for dashjs-sammy/experiment. */
  readonly experiments?: string;
  /**
   * The name of the cluster in experiments. {pop} is replaced by the POP, and {asn} by the client's autonomous system
   * number. The default is {pop}.
   */
  readonly cluster?: string;
  /** `on` or `off` (default): whether to accept session beacons and write them to the log endpoint `sammy-sessions`. */
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
  /** The cluster's name, with the placeholders `{pop}` and `{asn}`. */
  readonly cluster: string;
  readonly takesSessions: boolean;
  /**
   * One line for each invalid value. A service cannot refuse to start, so it serves unpaced and reports these lines.
   */
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
  // Check the name with an example of a POP name, which has three or four letters and digits.
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
