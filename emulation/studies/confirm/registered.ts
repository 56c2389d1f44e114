import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { asFields, asList, asText, asTime } from '../../ground/files/check.ts';
import { readJson } from '../../ground/files/read-json.ts';
import { codeHash } from './code-hash.ts';
import { protocolHash, readProtocol, type DrawnSet, type Protocol } from './protocol.ts';

/** A registered protocol, with the date of its registration. */
interface Registered {
  readonly sha256: string;
  readonly registered: string;
  /** `codeHash` of the code that plays the protocol; null if it was not recorded, so that nothing can be confirmed. */
  readonly code: string | null;
  /** Every play that has begun. Only in the first play has nobody seen the networks. */
  readonly plays: readonly Play[];
}

interface Play {
  readonly started: string;
  /** The shard that was played, such as `1/3`; absent for the whole plan. */
  readonly shard?: string;
}

/** The list of registered protocols, in the folder of the protocols' files. Commit the list with the protocols. */
const FILE = 'registered.json';
/** The folder of this project's own protocols. */
const OWN_PROTOCOLS = fileURLToPath(new URL('protocols', import.meta.url));

/**
 * Throws an Error of one line if the protocol or the code differs from the registration under the protocol's name.
 */
export function requireRegistered(file: string, protocol: Protocol, code = codeHash()): void {
  const before = registeredBeside(file)[protocol.name];
  if (before === undefined)
    throw new Error(
      `${file} is not registered; add --register, and commit it with ${listPath(file)} before it is run`,
    );
  requireSame(before, protocol);
  if (before.code === code) return;
  throw new Error(
    before.code === null
      ? `protocol '${protocol.name}' was registered without its code; register it anew under another name, or add --rehearse`
      : `the code is ${shortened(code)}, and protocol '${protocol.name}' was registered with ${shortened(before.code)}; play it on the commit that registered it, or register it anew under another name`,
  );
}

/**
 * Records that a play begins. Returns when the networks were first played, if this is not the first play. Different
 * shards count as a single play if each of them begins once.
 */
export function recordPlay(file: string, name: string, shard: string | undefined, now: Date): string | null {
  const list = registeredBeside(file);
  const entry = list[name];
  if (!entry) throw new Error(`${file} is not registered`);
  const [first] = entry.plays;
  const isSeen = entry.plays.some((play) => !areParts(play.shard, shard));
  const play: Play = { started: now.toISOString(), ...(shard !== undefined && { shard }) };
  replaceFiles(dirname(file), {
    [FILE]: asJson({ ...list, [name]: { ...entry, plays: [...entry.plays, play] } }),
  });
  return isSeen && first ? first.started : null;
}

/** Whether two shards are different parts of one play. */
function areParts(one: string | undefined, other: string | undefined): boolean {
  const [of, ofOther] = [one, other].map((shard) => shard?.split('/')[1]);
  return of !== undefined && of === ofOther && one !== other;
}

/**
 * Registers a protocol and writes its file with the hashes of its sets. Throws an Error of one line if the name is
 * registered for another protocol.
 */
export function register(file: string, protocol: Protocol, now: Date): void {
  const list = registeredBeside(file);
  const before = list[protocol.name];
  if (before) requireSame(before, protocol);
  else [dirname(file), OWN_PROTOCOLS].forEach((folder) => requireOwnNetworks(folder, protocol));
  const entry: Registered = before ?? {
    ...{ sha256: protocolHash(protocol), registered: now.toISOString() },
    ...{ code: codeHash(), plays: [] },
  };
  replaceFiles(dirname(file), {
    [basename(file)]: asJson(protocol),
    [FILE]: asJson({ ...list, [protocol.name]: entry }),
  });
}

/** Throws an Error if another protocol has the same networks, because networks that somebody has seen confirm nothing. */
function requireOwnNetworks(folder: string, protocol: Protocol): void {
  const names = Object.keys(registeredBeside(join(folder, FILE)));
  const files = names.map((name) => join(folder, `${name}.json`)).filter((file) => existsSync(file));
  for (const other of files.map(readProtocol))
    for (const [name, { drawn, sha256 }] of Object.entries(protocol.sets))
      for (const { drawn: theirs, sha256: hash } of Object.values(other.sets)) {
        if (drawn && theirs && shareNetworks(drawn, theirs))
          throw new Error(
            `set '${name}' draws networks of protocol '${other.name}' (the same generator and seed ${drawn.seed}); choose another seed`,
          );
        if (sha256 !== null && sha256 === hash)
          throw new Error(`set '${name}' has the traces of protocol '${other.name}'; choose others`);
      }
}

function shareNetworks(one: DrawnSet, other: DrawnSet): boolean {
  const [[least, most], [otherLeast, otherMost]] = [one.mean_mbps, other.mean_mbps];
  const sameDraw = one.seed === other.seed && (one.generator ?? 'lab') === (other.generator ?? 'lab');
  return sameDraw && least < otherMost && otherLeast < most;
}

function requireSame({ sha256, registered }: Registered, protocol: Protocol): void {
  const now = protocolHash(protocol);
  if (sha256 === now) return;
  throw new Error(
    `protocol '${protocol.name}' was registered on ${registered.slice(0, 10)} as ${shortened(sha256)}, but is now ${shortened(now)}; a changed protocol needs a new name`,
  );
}

export const shortened = (sha256: string): string => sha256.slice(0, 12);

export const listPath = (file: string): string => join(dirname(file), FILE);

function registeredBeside(file: string): Readonly<Record<string, Registered>> {
  const list = listPath(file);
  if (!existsSync(list)) return {};
  return readJson(list, (value) => {
    for (const [name, entry] of Object.entries(asFields(value, 'registered protocols'))) {
      const { sha256, registered, code, plays } = asFields(entry, name);
      asText(sha256, `${name}: sha256`);
      asTime(registered, `${name}: registered`);
      if (code !== null) asText(code, `${name}: code`);
      for (const play of asList(plays, `${name}: plays`))
        asTime(asFields(play, `${name}: a play`).started, `${name}: a play's start`);
    }
    return value as Readonly<Record<string, Registered>>;
  });
}
