import { contentHash } from '../../../system/cache.ts';
import { generators, type GeneratorName } from '../../network/links/trace-files/generators.ts';
import { armNamed } from '../../player/arms/index.ts';
import { asFields, asList, asNumber, asText, type Fields } from '../../ground/files/check.ts';
import { readJson } from '../../ground/files/read-json.ts';
import { metrics, type MetricName } from '../../player/records/metrics.ts';

/**
 * The rules of a confirmation and its conclusions, written before anything is played. A registered name always has the
 * same content: see registered.ts.
 */
export interface Protocol {
  readonly version: 1;
  /** Letters, digits, `-` and `.`. */
  readonly name: string;
  readonly question: string;
  /** The sets of traces by name. Names have lower-case letters, digits and `-`. */
  readonly sets: Readonly<Record<string, TraceSet>>;
  readonly places: Places;
  /** All arms to play; the first is the control in the lab's own report. */
  readonly arms: readonly string[];
  readonly claims: readonly Claim[];
  /** The highest acceptable probability that any false claim is shown. Each claim is tested one-sided. */
  readonly error_rate: number;
  /** How claims share the error rate: by Holm's procedure (1979). */
  readonly multiplicity: 'holm';
  /** When results are computed: only after the last planned session. */
  readonly stopping: 'all-sessions';
}

/** A set of traces, identified by its content. */
export interface TraceSet {
  readonly about: string;
  /** `tracesHash` of the traces; null until somebody who has the traces registers the protocol. */
  readonly sha256: string | null;
  /** How the traces are drawn; otherwise they come from a file or folder. */
  readonly drawn?: DrawnSet;
}

/**
 * The first `count` networks of a seed whose mean rate lies within a band. A generator draws them (`lab` if not given).
 */
export interface DrawnSet {
  readonly count: number;
  readonly seed: number;
  readonly mean_mbps: readonly [least: number, most: number];
  readonly generator?: GeneratorName;
}

/**
 * The random start positions of sessions. Each trace has the same number of them, each in its own part of the trace.
 */
export interface Places {
  readonly per_trace: number;
  readonly seed: number;
  /** The length of each session. */
  readonly seconds: number;
}

/**
 * The claim that, on each of these sets, the mean difference between two arms is below, or above, a bound in the
 * metric's unit.
 */
export interface Claim {
  readonly sets: readonly string[];
  readonly arm: string;
  readonly against: string;
  readonly metric: MetricName;
  readonly difference: 'below' | 'above';
  readonly bound: number;
}

/** The limit for the number of claims, because p-values are at least 1/4096, and more claims could not be shown. */
const MOST_HYPOTHESES = 100;
const SHORTEST_S = 5;

/** Reads a protocol. Throws an Error of one line that names the file and the expected content. */
export const readProtocol = (file: string): Protocol => readJson(file, checkProtocol);

/** The hash of a protocol, which does not depend on the file's layout. */
export const protocolHash = (protocol: Protocol): string => contentHash(protocol);

const FIELDS = {
  protocol: [
    'version',
    'name',
    'question',
    'sets',
    'places',
    'arms',
    'claims',
    'error_rate',
    'multiplicity',
    'stopping',
  ],
  set: ['about', 'sha256', 'drawn'],
  drawn: ['count', 'seed', 'mean_mbps', 'generator'],
  places: ['per_trace', 'seed', 'seconds'],
  claim: ['sets', 'arm', 'against', 'metric', 'difference', 'bound'],
} as const;

export function checkProtocol(value: unknown): Protocol {
  const protocol = checkFields(value, 'a protocol', FIELDS.protocol);
  expectOne(protocol.version, 'version', [1]);
  matching(protocol.name, 'name', /^[A-Za-z0-9][A-Za-z0-9.-]*$/);
  asText(protocol.question, 'question');
  const sets = asFields(protocol.sets, 'sets');
  if (Object.keys(sets).length === 0) throw new Error('sets is empty');
  for (const [name, set] of Object.entries(sets)) checkSet(name, set);
  const places = checkFields(protocol.places, 'places', FIELDS.places);
  whole(places.per_trace, 'places: per_trace', 1);
  whole(places.seed, 'places: seed', 0);
  whole(places.seconds, 'places: seconds', SHORTEST_S);
  const arms = asList(protocol.arms, 'arms').map((arm) => armNamed(asText(arm, 'an arm')).name);
  const claims = asList(protocol.claims, 'claims');
  for (const [index, claim] of claims.entries())
    checkClaim(claim, `claim ${index + 1}`, Object.keys(sets), arms);
  const rate = asNumber(protocol.error_rate, 'error_rate');
  if (!(rate > 0 && rate < 0.5)) throw new Error(`error_rate is ${rate}, expected above 0 and below 0.5`);
  expectOne(protocol.multiplicity, 'multiplicity', ['holm']);
  expectOne(protocol.stopping, 'stopping', ['all-sessions']);
  const checked = value as Protocol;
  const hypotheses = checked.claims.reduce((sum, claim) => sum + claim.sets.length, 0);
  if (hypotheses === 0 || hypotheses > MOST_HYPOTHESES)
    throw new Error(`claims: ${hypotheses} on all sets together, expected 1 to ${MOST_HYPOTHESES}`);
  return checked;
}

function checkSet(name: string, value: unknown): void {
  matching(name, 'the name of a set', /^[a-z0-9][a-z0-9-]*$/);
  const set = checkFields(value, `set ${name}`, FIELDS.set);
  asText(set.about, `set ${name}: about`);
  if (set.sha256 !== null) matching(set.sha256, `set ${name}: sha256`, /^[0-9a-f]{64}$/);
  if (set.drawn === undefined) return;
  const drawn = checkFields(set.drawn, `set ${name}: drawn`, FIELDS.drawn);
  whole(drawn.count, `set ${name}: count`, 1);
  whole(drawn.seed, `set ${name}: seed`, 0);
  if (drawn.generator !== undefined)
    expectOne(drawn.generator, `set ${name}: generator`, Object.keys(generators));
  const [least, most, ...more] = asList(drawn.mean_mbps, `set ${name}: mean_mbps`).map((each) =>
    asNumber(each, `set ${name}: mean_mbps`),
  );
  if (least === undefined || most === undefined || more.length > 0 || !(least < most))
    throw new Error(`set ${name}: mean_mbps must be the lowest and the highest rate, in this order`);
}

function checkClaim(value: unknown, what: string, sets: readonly string[], arms: readonly string[]): void {
  const claim = checkFields(value, what, FIELDS.claim);
  for (const set of asList(claim.sets, `${what}: sets`)) expectOne(set, `${what}: a set`, sets);
  expectOne(claim.arm, `${what}: arm`, arms);
  expectOne(claim.against, `${what}: against`, arms);
  expectOne(
    claim.metric,
    `${what}: metric`,
    metrics.map(({ name }) => name),
  );
  expectOne(claim.difference, `${what}: difference`, ['below', 'above']);
  asNumber(claim.bound, `${what}: bound`);
}

/** Rejects unknown fields, because a misspelled field would be a rule without effect. */
function checkFields(value: unknown, what: string, known: readonly string[]): Fields {
  const fields = asFields(value, what);
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown === undefined) return fields;
  throw new Error(`${what} has an unknown field '${unknown}'; known: ${known.join(', ')}`);
}

function expectOne(value: unknown, what: string, known: readonly unknown[]): void {
  if (!known.includes(value))
    throw new Error(`${what} is ${JSON.stringify(value)}, expected one of ${known.join(', ')}`);
}

function matching(value: unknown, what: string, pattern: RegExp): void {
  const text = asText(value, what);
  if (!pattern.test(text)) throw new Error(`${what} is '${text}', expected ${String(pattern)}`);
}

function whole(value: unknown, what: string, least: number): void {
  const number = asNumber(value, what);
  if (!Number.isInteger(number) || number < least)
    throw new Error(`${what} is ${number}, expected a whole number from ${least}`);
}
