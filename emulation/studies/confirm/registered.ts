import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { asFields, asText, asTime } from '../../ground/files/check.ts';
import { readJson } from '../../ground/files/read-json.ts';
import { protocolHash, type Protocol } from './protocol.ts';

/** What a name stands for, and since when. */
interface Registered {
  readonly sha256: string;
  readonly registered: string;
}

/** The list beside a protocol's file, of all that were registered there. Commit both. */
const FILE = 'registered.json';

/** Throws an Error of one line where the protocol is not, to the letter, the one that was registered under its name. */
export function requireRegistered(file: string, protocol: Protocol): void {
  const before = registeredBeside(file)[protocol.name];
  if (before === undefined)
    throw new Error(
      `${file} is not registered; add --register, and commit it with ${listOf(file)} before it is run`,
    );
  requireSame(before, protocol);
}

/** Registers a protocol and writes it with the hashes of its sets. Throws an Error of one line for another protocol's name. */
export function register(file: string, protocol: Protocol, now: Date): void {
  const list = registeredBeside(file);
  const before = list[protocol.name];
  if (before) requireSame(before, protocol);
  const entry: Registered = before ?? { sha256: protocolHash(protocol), registered: now.toISOString() };
  replaceFiles(dirname(file), {
    [basename(file)]: asJson(protocol),
    [FILE]: asJson({ ...list, [protocol.name]: entry }),
  });
}

function requireSame({ sha256, registered }: Registered, protocol: Protocol): void {
  const now = protocolHash(protocol);
  if (sha256 === now) return;
  throw new Error(
    `protocol '${protocol.name}' was registered on ${registered.slice(0, 10)} as ${shortened(sha256)}, and is ${shortened(now)} now; a changed protocol needs a name of its own`,
  );
}

export const shortened = (sha256: string): string => sha256.slice(0, 12);

export const listOf = (file: string): string => join(dirname(file), FILE);

function registeredBeside(file: string): Readonly<Record<string, Registered>> {
  const list = listOf(file);
  if (!existsSync(list)) return {};
  return readJson(list, (value) => {
    for (const [name, entry] of Object.entries(asFields(value, 'registered protocols'))) {
      const { sha256, registered } = asFields(entry, name);
      asText(sha256, `${name}: sha256`);
      asTime(registered, `${name}: registered`);
    }
    return value as Readonly<Record<string, Registered>>;
  });
}
