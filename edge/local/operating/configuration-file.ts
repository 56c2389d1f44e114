import { readFileSync } from 'node:fs';
import { isRecord } from '../../../src/records.ts';
import { errorLine } from '../../../system/error-line.ts';

/** The options without a value. In the file, their value is true. */
const SWITCHES: readonly string[] = ['yield'];

/**
 * Converts the file of --config to arguments: `{"pacing": "off", "floor-kbps": 2000}` becomes `--pacing=off` and
 * `--floor-kbps=2000`. A list becomes a repeated option. Throws a one-line Error.
 */
export function readConfigurationFile(path: string): string[] {
  const wrong = (what: string, cause?: unknown) => new Error(`--config '${path}' ${what}`, { cause });
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(`cannot be read: ${errorLine(error)}`, error);
  }
  if (!isRecord(content) || Array.isArray(content))
    throw wrong('has no options; expected a JSON object such as {"pacing": "off"}');
  return Object.entries(content).flatMap(([option, value]) => {
    if (option === 'config') throw wrong("has the option 'config'; expected all options in one file");
    return [value].flat().map((each) => {
      if (each === true && SWITCHES.includes(option)) return `--${option}`;
      if (typeof each !== 'string' && typeof each !== 'number')
        throw wrong(`has ${option} ${JSON.stringify(each)}; expected text, a number or a list of these`);
      return `--${option}=${each}`;
    });
  });
}
