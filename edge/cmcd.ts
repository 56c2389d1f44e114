import { decodeCmcd } from '@svta/cml-cmcd';
import {
  CHANGE_KEY,
  FLOOR_KEY,
  parseRtp,
  PLUGIN_KEY,
  RTP_MAX_KBPS,
  SUM_KEY,
  type RtpRefusal,
} from '../src/wire/rtp.ts';
import { kbps, type Kbps } from '../src/units.ts';

/** The part of a request that the policy reads. */
export interface PaceRequest {
  readonly url: string;
  readonly headers: Pick<Headers, 'get'>;
}

/** Why a request's CMCD yields no pace although it may have asked for one. */
export type CmcdRefusal = RtpRefusal | 'cmcd-too-long' | 'malformed' | 'repeated' | 'disagreeing';

export type RtpReading = { readonly pace: Kbps } | { readonly refused: CmcdRefusal } | null;

/** CTA-5004 §2.1: `rtp` belongs to CMCD-Status, but a custom header map may move a key to another field. */
export const CMCD_HEADERS = ['CMCD-Request', 'CMCD-Object', 'CMCD-Status', 'CMCD-Session'] as const;

/**
 * The longest CMCD that is parsed, in characters as received: the size of URL that servers and caches
 * commonly accept. A real payload is a few hundred characters; the limit bounds the work of a hostile one.
 */
export const CMCD_MAX_LENGTH = 8192;

// The name `CMCD`, case-sensitive (CTA-5004 §2.2), with any of its letters percent-encoded.
const CMCD_PARAMETER = /^(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=(.*))?$/s;

/** A URL's query (`?...` or empty) apart: the raw values of its CMCD parameters, and the query without them, otherwise verbatim. */
export function splitCmcdQuery(search: string): { values: string[]; rest: string } {
  const values: string[] = [];
  const rest: string[] = [];
  for (const part of search.replace(/^\?/, '').split('&')) {
    const match = CMCD_PARAMETER.exec(part);
    if (match) values.push(match[1] ?? '');
    else rest.push(part);
  }
  const query = rest.join('&');
  return { values, rest: query === '' ? '' : `?${query}` };
}

/** What a request's CMCD says that matters for its pace. */
export interface CmcdReading {
  readonly rtp: RtpReading;
  /** The object's bitrate (`br`), or the ladder's top bitrate (`tb`) where only that is given; null without both. */
  readonly bitrate: Kbps | null;
  /** Whether the plug-in made the request: its rtp is never below what playback needs. */
  readonly fromPlugin: boolean;
  readonly sum: SumReading;
  /** The least that the viewer needs, below which an edge that yields must not go; null without one that can be read. */
  readonly floor: Kbps | null;
  /** The secret of the response, with which its pace can be changed while it is under way; null without one. */
  readonly change: string | null;
  /** The session (`sid`), which is the unit of experiments; null without one. */
  readonly session: string | null;
}

/** The sum of the paces that the plug-in has under way at the origin; null where the request does not give it. */
export type SumReading = Kbps | 'malformed' | null;

const NOTHING: CmcdReading = {
  ...{ rtp: null, bitrate: null, fromPlugin: false, sum: null, floor: null, change: null, session: null },
};

/**
 * Reads the CMCD query parameter and the CMCD headers, version 1 or 2; `rtp` is null when there is none. An rtp that is
 * mangled or ambiguous is refused. Never throws.
 */
export function readCmcd(request: PaceRequest): CmcdReading {
  const { values } = splitCmcdQuery(queryOf(request.url));
  const fields = CMCD_HEADERS.map((name) => request.headers.get(name) ?? '').filter((text) => text !== '');
  const tooLong = (text: string) => text.length > CMCD_MAX_LENGTH;
  const refuse = (refused: CmcdRefusal): CmcdReading => ({ ...NOTHING, rtp: { refused } });
  if (values.some(tooLong) || tooLong(fields.join())) return refuse('cmcd-too-long');
  if (values.length > 1) return refuse('repeated');

  const query = values.map((value) => readDictionary(decodeQueryValue(value)));
  const header = fields.map(readDictionary);
  const both = [...query, ...header];
  return {
    rtp: agreeing(only(query.map(({ rtp }) => rtp)), only(header.map(({ rtp }) => rtp))),
    bitrate: largest(both.map(({ br }) => br)) ?? largest(both.map(({ tb }) => tb)),
    fromPlugin: both.some(({ fromPlugin }) => fromPlugin),
    sum: onlySum(both.map(({ sum }) => sum)),
    floor: wellFormed(onlySum(both.map(({ floor }) => floor))),
    change: both.find(({ change }) => change !== null)?.change ?? null,
    session: both.find(({ session }) => session !== null)?.session ?? null,
  };
}

const largest = (rates: readonly (Kbps | null)[]): Kbps | null => {
  const known = rates.filter((rate) => rate !== null);
  return known.length > 0 ? kbps(Math.max(...known)) : null;
};

/** Combines the readings of several places: refused if one of them was refused, or if more than one has a pace. */
function only(readings: RtpReading[]): RtpReading {
  const found = readings.filter((reading) => reading !== null);
  const refused = found.find((reading) => 'refused' in reading);
  if (refused) return refused;
  return found.length > 1 ? { refused: 'repeated' } : (found[0] ?? null);
}

/** Combines the sums of several places: malformed if they differ. */
function onlySum(readings: readonly SumReading[]): SumReading {
  const found = new Set(readings.filter((reading) => reading !== null));
  const [sum = null] = found;
  return found.size > 1 ? 'malformed' : sum;
}

/** A floor that cannot be read is none: the response is then paced, and does not yield. */
const wellFormed = (reading: SumReading): Kbps | null => (reading === 'malformed' ? null : reading);

/** Combines the reading of the query with that of the headers. */
function agreeing(query: RtpReading, header: RtpReading): RtpReading {
  if (query === null || header === null) return query ?? header;
  if ('refused' in query) return query;
  if ('refused' in header) return header;
  return query.pace === header.pace ? query : { refused: 'disagreeing' };
}

interface Payload {
  readonly rtp: RtpReading;
  readonly br: Kbps | null;
  readonly tb: Kbps | null;
  readonly fromPlugin: boolean;
  readonly sum: SumReading;
  readonly floor: SumReading;
  readonly change: string | null;
  readonly session: string | null;
}

const NOTHING_READ: Payload = {
  ...{
    rtp: null,
    br: null,
    tb: null,
    fromPlugin: false,
    sum: null,
    floor: null,
    change: null,
    session: null,
  },
};

/** One CMCD payload: a structured-field dictionary (RFC 8941 §3.2), in version 2 with inner lists. */
function readDictionary(text: string): Payload {
  let dictionary: Record<string, unknown>;
  try {
    dictionary = decodeCmcd(text);
  } catch {
    return { ...NOTHING_READ, rtp: { refused: 'malformed' } };
  }
  // Only own properties count, since a payload may contain a key such as `constructor`.
  const member = (key: string): unknown => (Object.hasOwn(dictionary, key) ? dictionary[key] : undefined);
  return {
    rtp: readMember(member('rtp'), text),
    br: readBitrate(member('br')),
    tb: readBitrate(member('tb')),
    fromPlugin: member(PLUGIN_KEY) !== undefined,
    sum: readRate(SUM_KEY, member(SUM_KEY), text),
    floor: readRate(FLOOR_KEY, member(FLOOR_KEY), text),
    change: readText(member(CHANGE_KEY), SECRET),
    session: readText(member('sid'), SESSION),
  };
}

/** CTA-5004 gives a session's id 64 characters; some players write more. A string has ASCII only (RFC 8941 §3.3.3). */
const SESSION = /^[\x20-\x7e]{1,200}$/;

/** 128 bits, as `CHANGE_KEY` has them: a shorter one could be guessed. */
const SECRET = /^[0-9a-f]{32}$/;

function readText(member: unknown, form: RegExp): string | null {
  const value = bareItem(member);
  return typeof value === 'string' && form.test(value) ? value : null;
}

function readMember(rtp: unknown, text: string): RtpReading {
  if (rtp === undefined) return null;
  // The parser keeps the last of several members of a name (RFC 8941 §3.2); here an rtp given twice is ambiguous.
  if (countMembers(text, 'rtp') > 1) return { refused: 'repeated' };
  const value = bareItem(rtp);
  return typeof value === 'number' ? parseRtp(String(value)) : { refused: 'not-a-number' };
}

/** Reads a rate of a key of ours; it is malformed in the cases in which an rtp is refused. */
function readRate(key: string, rate: unknown, text: string): SumReading {
  if (rate === undefined) return null;
  const value = bareItem(rate);
  if (typeof value !== 'number' || countMembers(text, key) > 1) return 'malformed';
  const parsed = parseRtp(String(value));
  return 'pace' in parsed ? parsed.pace : 'malformed';
}

/** A bitrate, or the sum of a list: in version 2 the object has one bitrate per media type. Null if one is not valid. */
function readBitrate(member: unknown): Kbps | null {
  const value = bareItem(member);
  const rates = (Array.isArray(value) ? value : [value]).map(bareItem);
  let sum = 0;
  for (const rate of rates) {
    if (typeof rate !== 'number' || !Number.isInteger(rate) || rate <= 0) return null;
    sum += rate;
  }
  return sum > 0 && sum <= RTP_MAX_KBPS ? kbps(sum) : null;
}

/** Counts the members of a name in a valid dictionary: outside strings, a comma always ends a member. */
const countMembers = (text: string, key: string): number =>
  text
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
    .split(',')
    .filter((member) => member.trim().split(/[=;]/, 1)[0] === key).length;

/** An item's value without its parameters, which are ignored. */
const bareItem = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'value' in item ? item.value : item;

function queryOf(url: string): string {
  const withoutFragment = url.split('#', 1)[0] ?? '';
  const question = withoutFragment.indexOf('?');
  return question < 0 ? '' : withoutFragment.slice(question);
}

/** Percent-decodes a value. Unlike decodeURIComponent it leaves `%zz` as it is instead of throwing. */
const decodeQueryValue = (raw: string): string => new URLSearchParams(`v=${raw}`).get('v') ?? '';
