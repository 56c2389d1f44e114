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

/** Why a request with an rtp has no pace. `disagreeing`: its CMCD has two different rtp values. */
export type CmcdRefusal = RtpRefusal | 'cmcd-too-long' | 'disagreeing';

export type RtpReading = { readonly pace: Kbps } | { readonly refused: CmcdRefusal } | null;

/**
 * The headers that are searched for CMCD. `rtp` belongs to CMCD-Status (CTA-5004 §2.1), but a player's custom header
 * map may move a key to another header.
 */
export const CMCD_HEADERS = ['CMCD-Request', 'CMCD-Object', 'CMCD-Status', 'CMCD-Session'] as const;

/**
 * The longest CMCD that is parsed, in characters as received: the URL size that servers and caches commonly accept.
 * Real payloads have a few hundred characters; the limit bounds the work for hostile payloads.
 */
export const CMCD_MAX_LENGTH = 8192;

// Matches the parameter `CMCD`, case-sensitive (CTA-5004 §2.2); its letters may be percent-encoded.
const CMCD_PARAMETER = /^(?:C|%43)(?:M|%4[dD])(?:C|%43)(?:D|%44)(?:=(.*))?$/s;

/**
 * Splits a URL's query (`?...` or empty) into the raw values of its CMCD parameters, and the rest of the query,
 * verbatim.
 */
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

/** The pace-related content of a request's CMCD. */
export interface CmcdReading {
  readonly rtp: RtpReading;
  /** The object's bitrate (`br`), the largest of several; null if missing. */
  readonly bitrate: Kbps | null;
  /** The top bitrate of the ladder (`tb`), the largest of several; null if missing. */
  readonly topBitrate: Kbps | null;
  /** The playback rate (`pr`), rounded up; 1 if missing. */
  readonly playbackRate: number;
  /** Whether the plug-in sent the request. The plug-in's rtp is never below the rate that playback needs. */
  readonly fromPlugin: boolean;
  readonly sum: SumReading;
  /** The lowest rate that the viewer needs, below which an edge must not yield; null if missing or invalid. */
  readonly floor: Kbps | null;
  /** The secret of the response, which authorizes changes of its pace while it is in flight; null if missing. */
  readonly change: string | null;
  /** The session (`sid`), the unit of experiments; null if missing. */
  readonly session: string | null;
}

/** The sum of the plug-in's paces in flight at the origin; null if the request does not contain the sum. */
export type SumReading = Kbps | 'malformed' | null;

/**
 * Reads the CMCD query parameters and the CMCD headers, version 1 or 2, as one list of members. Never throws.
 *
 * Players send CMCD that is not a valid structured field (RFC 9651): keys in upper case, bare text, line breaks, a
 * trailing comma. These errors are harmless here, so unreadable members are ignored. However, an unreadable rtp, or
 * several different rtp values, are refused. All edges read CMCD in the same way (nginx/module/cmcd_rtp.c,
 * vcl/snippets).
 */
export function readCmcd(request: PaceRequest): CmcdReading {
  const { values } = splitCmcdQuery(getQuery(request.url));
  const fields = CMCD_HEADERS.map((name) => request.headers.get(name) ?? '').filter((text) => text !== '');
  const isTooLong = (texts: readonly string[]) => texts.join().length > CMCD_MAX_LENGTH;
  const tooLong = isTooLong(values) || isTooLong(fields);
  const members = tooLong
    ? new Map<string, Member[]>()
    : readMembers([...fields, ...values.map(decodeValue)]);
  const all = (key: string): readonly Member[] => members.get(key) ?? [];
  return {
    rtp: tooLong ? { refused: 'cmcd-too-long' } : readRtp(all('rtp')),
    bitrate: largestRate(all('br')),
    topBitrate: largestRate(all('tb')),
    playbackRate: readPlaybackRate(all('pr')),
    fromPlugin: members.has(PLUGIN_KEY),
    sum: readSum(all(SUM_KEY)),
    floor: wellFormed(readSum(all(FLOOR_KEY))),
    change: readText(all(CHANGE_KEY), SECRET),
    session: readText(all('sid'), SESSION),
  };
}

/** A member of CMCD without its key. */
interface Member {
  /** The text after `=`, with each quoted string and each escaped character replaced by `~`; empty without a value. */
  readonly text: string;
  /** The content of the first quoted string; null if there is none. */
  readonly string: string | null;
}

/** Matches a quoted string. Without a closing quote, it extends to the end of the payload. */
const STRING = /"((?:\\.|[^"\\])*)(?:"|\\?$)/s;
/** Matches an escaped character outside of a string, or a string. */
const ESCAPE_OR_STRING = new RegExp(`\\\\.|${STRING.source}`, 'gs');
/** Matches a member. Commas in strings do not end a member. */
const MEMBER = new RegExp(`(?:\\\\.|${STRING.source}|[^",])+`, 'gs');

/** Reads the members of several payloads by key. */
function readMembers(payloads: readonly string[]): Map<string, Member[]> {
  const members = new Map<string, Member[]>();
  for (const [member] of payloads.join(',').matchAll(MEMBER)) {
    const bare = member.replace(ESCAPE_OR_STRING, '~');
    const [, key = '', text = ''] = /^([^=;]*)=?(.*)$/s.exec(trimSpace(bare)) ?? [];
    const content = STRING.exec(member.replace(/^(?:\\.|[^"\\])*/s, ''))?.[1];
    const string = content === undefined ? null : content.replace(/\\(.)/gs, '$1');
    const sameKey = members.get(key);
    if (sameKey) sameKey.push({ text, string });
    else members.set(key, [{ text, string }]);
  }
  return members;
}

/** Removes spaces and tabs from both ends. A regular expression would take quadratic time for long runs of spaces. */
function trimSpace(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === ' ' || text[from] === '\t') from += 1;
  while (to > from && (text[to - 1] === ' ' || text[to - 1] === '\t')) to -= 1;
  return text.slice(from, to);
}

/** Returns a member's text without its structured-field parameters. */
const withoutParameters = ({ text }: Member): string => text.split(';', 1)[0] ?? '';

/** Reads the values of a rate that may be repeated. Refuses an unreadable value, and values that differ. */
function readRtp(members: readonly Member[]): RtpReading {
  const read = members
    .map(withoutParameters)
    .map((text) => (/^[-.\d]+$/.test(text) ? parseRtp(text) : { refused: 'not-a-number' as const }));
  const refused = read.find((each) => 'refused' in each);
  if (refused) return refused;
  const [first = null] = read;
  return first && read.some((each) => 'pace' in each && 'pace' in first && each.pace !== first.pace)
    ? { refused: 'disagreeing' }
    : first;
}

/** Reads the rate of one of this project's custom keys. It is malformed if an rtp with this value would be refused. */
function readSum(members: readonly Member[]): SumReading {
  const rate = readRtp(members);
  return rate === null ? null : 'pace' in rate ? rate.pace : 'malformed';
}

/** Converts a malformed reading to null. A response with an unreadable floor is thus paced, and does not yield. */
const wellFormed = (reading: SumReading): Kbps | null => (reading === 'malformed' ? null : reading);

/** Matches a bitrate: a plain number, or a number in an inner list, as in version 2. */
const RATE = /(?:^|[( ])0*([1-9]\d{0,8})(?:\.\d+)?(?=[); ]|$)/g;

/** The largest of several bitrates, ignoring invalid ones. */
function largestRate(members: readonly Member[]): Kbps | null {
  const rates = members
    .flatMap(({ text }) => [...text.matchAll(RATE)].map(([, digits]) => Number(digits)))
    .filter((rate) => rate <= RTP_MAX_KBPS);
  return rates.length > 0 ? kbps(Math.max(...rates)) : null;
}

/**
 * Reads `pr`, a decimal that players omit at normal speed (CTA-5004). A value of 100 or more is ignored as a mistake.
 */
function readPlaybackRate(members: readonly Member[]): number {
  const rates = members.map(withoutParameters).filter((text) => /^\d{1,2}(\.\d+)?$/.test(text));
  return Math.max(1, ...rates.map((text) => Math.ceil(Number(text))));
}

/**
 * A valid session id. Strings are ASCII (RFC 8941 §3.3.3). CTA-5004 allows 64 characters, but some players send more.
 */
const SESSION = /^[\x20-\x7e]{1,200}$/;

/** A valid secret: 128 bits, as in `CHANGE_KEY`, so that it cannot be guessed. */
const SECRET = /^[0-9a-f]{32}$/;

/** Returns the string of the first member if it matches `form`. */
function readText([member]: readonly Member[], form: RegExp): string | null {
  const string = member?.string ?? null;
  return string !== null && form.test(string) ? string : null;
}

function getQuery(url: string): string {
  const withoutFragment = url.split('#', 1)[0] ?? '';
  const question = withoutFragment.indexOf('?');
  return question < 0 ? '' : withoutFragment.slice(question);
}

/** Matches CMCD that is still percent-encoded after decoding: the player has encoded it twice. */
const ENCODED_TWICE = /^[A-Za-z*][\w.*-]*%(?:2[cC]|3[bBdD])/;

/** Percent-decodes a query's value. */
function decodeValue(raw: string): string {
  const text = decodeOnce(raw);
  return ENCODED_TWICE.test(text) ? decodeOnce(text) : text;
}

/** Percent-decodes once. Leaves an invalid escape such as `%zz` unchanged, whereas decodeURIComponent would throw. */
const decodeOnce = (raw: string): string =>
  new URLSearchParams(`v=${raw.replaceAll('&', '%26')}`).get('v') ?? '';
