import cases from '../cases.json' with { type: 'json' };
import type { StoreValues } from '../compute/config.ts';
import type { ConnectionReason, PaceReason } from '../policy.ts';

/** The implementations that are tested with edge/cases.json. */
export type Implementation =
  | 'policy'
  | 'handler'
  | 'compute'
  | 'varnish'
  | 'falco'
  | 'nginx'
  | 'nginx over HTTP/3'
  | 'varnish over HTTP/2';

/** A case of edge/cases.json: a request, and the response that every implementation must give. */
export interface PaceCase {
  readonly name: string;
  readonly method: string;
  /** The request target with its query, percent-encoded. `{other}` is replaced by the second origin of the tests. */
  readonly target: string;
  /** The header lines. A name may occur twice. */
  readonly headers: readonly (readonly [string, string])[];
  /** The operator's settings, as in the config store of edge/compute. */
  readonly config: StoreValues;
  readonly pace_kbps: number | null;
  /** The reason for the pace; null for a response without a verdict. */
  readonly reason: PaceReason | null;
  /** The verdict for an HTTP/2 connection, for a server that sees only one request at a time. */
  readonly connection: { readonly pace_kbps: number | null; readonly reason: ConnectionReason | null };
  readonly status: number;
  /** Response headers, by lower-case names. */
  readonly response: Readonly<Record<string, string>>;
  /** The member of Server-Timing that reports the arm of an experiment. */
  readonly told?: string;
  /** The request target that the origin receives; not checked if absent. */
  readonly originSaw?: string;
  /** The implementations for which the case cannot be tested, each with the reason. */
  readonly skip: Partial<Record<Implementation, string>>;
}

interface JsonCase {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly config?: StoreValues;
  readonly pace_kbps: number | null;
  readonly reason: PaceReason | null;
  readonly connection_pace_kbps?: number;
  /** The default is the response's reason, or `shared-connection` if the response is paced. */
  readonly connection_reason?: ConnectionReason;
  readonly status?: number;
  readonly response?: Readonly<Record<string, string>>;
  readonly told?: string;
  readonly origin_saw?: string;
  readonly skip?: PaceCase['skip'];
}

/** Replaces `{x*1000}` by a thousand x. This keeps the table short. */
const expand = (text: string): string =>
  text.replace(/\{(.)\*(\d+)\}/g, (_, character: string, count: string) => character.repeat(Number(count)));

export const paceCases: readonly PaceCase[] = (cases as unknown as readonly JsonCase[]).map((given) => ({
  name: given.name,
  method: given.method ?? 'GET',
  target: (given.path ?? '/v/1.m4s') + expand(given.query ?? ''),
  headers: (given.headers ?? []).map(([name, value]) => [name, expand(value)] as const),
  config: given.config ?? {},
  pace_kbps: given.pace_kbps,
  reason: given.reason,
  connection: {
    pace_kbps: given.connection_pace_kbps ?? null,
    reason: given.connection_reason ?? (given.pace_kbps === null ? given.reason : 'shared-connection'),
  },
  status: given.status ?? 200,
  response: given.response ?? {},
  ...(given.told !== undefined && { told: given.told }),
  ...(given.origin_saw !== undefined && { originSaw: given.origin_saw }),
  // Skip a case for HTTP/2 if it is skipped for the same server with HTTP/1.1.
  skip: {
    ...(given.skip?.varnish && { 'varnish over HTTP/2': given.skip.varnish }),
    ...(given.skip?.nginx && { 'nginx over HTTP/3': given.skip.nginx }),
    ...given.skip,
  },
}));
