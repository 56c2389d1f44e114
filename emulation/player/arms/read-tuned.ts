import { named } from '../../../system/command-line/suggestion.ts';
import { readFileSync } from 'node:fs';
import { errorLine } from '../../../system/error-line.ts';
import { resolveOptions } from '../../../src/options.ts';
import { asFields, asList, asNumber, asText } from '../../ground/files/check.ts';
import { armNamed, arms } from './index.ts';
import { armFromTuned, SMOOTH_OPTIONS, TUNED_OPTIONS, type TunedArm } from './tuned.ts';

/** The arms that `--arms` requests: their names, and the definitions of the arms that come from a file. */
export interface RequestedArms {
  readonly names: readonly string[];
  readonly tuned: readonly TunedArm[];
}

/** The valid names. Letters, digits and `-`, because folders are named after arms. */
const NAME = /^[a-z][a-z0-9-]*$/;

/**
 * Reads `--arms`: names of arms, `BASE@FILE` for all arms of a file with BASE's other settings, and `BASE@FILE#NAME`
 * for one arm of the file. Throws an Error of one line with the problem and the file.
 */
export function readArms(asked: readonly string[]): RequestedArms {
  const found = asked.map((word): { names: readonly string[]; tuned: readonly TunedArm[] } => {
    const [, base, file, name] = /^([^@]*)@([^#]*)(?:#(.*))?$/.exec(word) ?? [];
    if (base === undefined || file === undefined) return { names: [armNamed(word).name], tuned: [] };
    const all = readTuned(file, armNamed(base).name);
    const tuned = name === undefined ? all : [named('arm', name, all)];
    return { names: tuned.map((each) => each.name), tuned };
  });
  const tuned = found.flatMap((each) => each.tuned);
  const twice = tuned.find(({ name }, index) => tuned.findIndex((each) => each.name === name) < index);
  if (twice) throw new Error(`--arms has two arms '${twice.name}'`);
  return { names: [...new Set(found.flatMap((each) => each.names))], tuned };
}

function readTuned(file: string, base: string): TunedArm[] {
  try {
    const { arms: listed } = asFields(JSON.parse(readFileSync(file, 'utf8')), 'a file of arms');
    return asList(listed, 'arms').map((each) => checkTuned(each, base));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Error(missing ? `--arms: there is no ${file}` : `${file}: ${errorLine(error)}`, {
      cause: error,
    });
  }
}

function checkTuned(value: unknown, base: string): TunedArm {
  const arm = asFields(value, 'an arm');
  const name = asText(arm.name, 'name');
  if (!NAME.test(name) || arms.some((each) => each.name === name))
    throw new Error(
      `'${name}' must be lower-case letters, digits and '-', and not the name of an arm of the lab`,
    );
  const constants = (given: unknown, known: readonly string[], what: string) =>
    Object.fromEntries(
      Object.entries(asFields(given, what)).map(([option, constant]) => {
        if (!known.includes(option))
          throw new Error(`${what} has no '${option}'; there are ${known.join(', ')}`);
        return [option, asNumber(constant, `${what}: ${option}`)];
      }),
    );
  const tuned: TunedArm = {
    name,
    about: asText(arm.about, `${name}: about`),
    base,
    options: constants(arm.options ?? {}, TUNED_OPTIONS, `${name}: options`),
    ...(arm.smooth !== undefined && { smooth: constants(arm.smooth, SMOOTH_OPTIONS, `${name}: smooth`) }),
  };
  // Rejects a constant that is out of range before anything runs.
  const { sammy } = armFromTuned(tuned);
  resolveOptions(sammy);
  return tuned;
}
