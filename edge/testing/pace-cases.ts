import cases from '../cases.json' with { type: 'json' };
import type { StoreValues } from '../compute/config.ts';
import type { ConnectionReason, PaceReason } from '../policy.ts';

/** The implementations that the table is for. */
export type Implementation =
  'policy' | 'handler' | 'compute' | 'varnish' | 'falco' | 'nginx' | 'varnish over HTTP/2';

/** One request and what it must get, the same from every implementation: edge/cases.json. */
export interface PaceCase {
  readonly name: string;
  readonly method: string;
  /** With its query, as sent: percent-encoded. `{other}` is the second origin of the tests. */
  readonly target: string;
  /** As lines: a name may stand twice. */
  readonly headers: readonly (readonly [string, string])[];
  /** The operator's settings, as in the config store of edge/compute. */
  readonly config: StoreValues;
  readonly pace_kbps: number | null;
  /** Null for an answer that carries no verdict. */
  readonly reason: PaceReason | null;
  /** Of an HTTP/2 connection, where the server sees one request at a time. */
  readonly connection: { readonly pace_kbps: number | null; readonly reason: ConnectionReason | null };
  readonly status: number;
  /** Of the answer: lower-case names. */
  readonly response: Readonly<Record<string, string>>;
  /** The request target that the origin sees; not looked at when absent. */
  readonly originSaw?: string;
  /** Where it cannot be tested, and why. */
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
  /** When not given: the same as the response's, or `shared-connection` where that is paced. */
  readonly connection_reason?: ConnectionReason;
  readonly status?: number;
  readonly response?: Readonly<Record<string, string>>;
  readonly origin_saw?: string;
  readonly skip?: PaceCase['skip'];
}

/** `{x*1000}` is a thousand x, which nobody wants to scroll past. */
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
  ...(given.origin_saw !== undefined && { originSaw: given.origin_saw }),
  // What Varnish cannot be tested with, it cannot over HTTP/2 either.
  skip: { ...(given.skip?.varnish && { 'varnish over HTTP/2': given.skip.varnish }), ...given.skip },
}));
