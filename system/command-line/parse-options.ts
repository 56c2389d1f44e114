import { parseArgs, type ParseArgsConfig } from 'node:util';
import { suggestionFor } from './suggestion.ts';

/** An option for Node's `parseArgs`, with its help. An option without `valueName` is a flag. */
type DeclaredOption = NonNullable<ParseArgsConfig['options']>[string] & {
  readonly valueName?: string;
  readonly about: string;
};
export type DeclaredOptions = Readonly<Record<string, DeclaredOption>>;

interface Config extends ParseArgsConfig {
  readonly args: string[];
  readonly options: NonNullable<ParseArgsConfig['options']>;
}

/** The width, in characters, of a line of help. */
const HELP_WIDTH = 118;
/** The width, in characters, of its first column, which contains the option. */
const OPTION_WIDTH = 29;

/** Formats the help of options, with one or more lines per option. */
export const optionsHelp = (options: DeclaredOptions): string =>
  Object.entries(options)
    .map(([name, { valueName, about }]) => {
      const option = `  --${name}${valueName === undefined ? '' : ` ${valueName}`}`;
      const lines = wrapped(about, HELP_WIDTH - OPTION_WIDTH).map((line) => ' '.repeat(OPTION_WIDTH) + line);
      return option.length < OPTION_WIDTH
        ? option + lines.join('\n').slice(option.length)
        : [option, ...lines].join('\n');
    })
    .join('\n');

/** Wraps text into lines of at most `width` characters. */
const wrapped = (text: string, width: number): string[] =>
  text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)`, 'g')) ?? [];

/**
 * Wraps Node's `parseArgs` for programs that use no command-line library. `commands` are the commands accepted as the
 * first word; they only improve error messages. Throws a one-line Error for an unknown option or argument, with a
 * similar name if there is one, and for an option without its value.
 */
export function parseOptions<const T extends Config>(
  config: T,
  commands: readonly string[] = [],
): ReturnType<typeof parseArgs<T>> {
  const { tokens } = parseArgs({
    args: config.args,
    options: config.options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const args = tokens.flatMap((token) => {
    if (token.kind === 'option-terminator') return ['--'];
    if (token.kind === 'positional') {
      if (config.allowPositionals !== true) throw new Error(unexpected(token.value, commands));
      return [token.value];
    }
    const { name, rawName, value, inlineValue } = token;
    if (!Object.hasOwn(config.options, name)) throw new Error(unknown(rawName, Object.keys(config.options)));
    if (value === undefined) {
      if (config.options[name]?.type === 'string')
        throw new Error(`${rawName} is the last word, expected its value`);
      return [rawName];
    }
    // Accept negative numbers here. An option that does not accept them has its own check.
    if (!inlineValue && /^-(?!\.?\d)/.test(value))
      throw new Error(`${rawName} is followed by '${value}', expected its value`);
    return [`${rawName}=${value}`];
  });
  return parseArgs<T>({ ...config, args });
}

const unknown = (option: string, names: readonly string[]): string =>
  `unknown option '${option}'${suggestionFor(
    option,
    names.map((name) => `--${name}`),
  )}; --help lists them`;

function unexpected(word: string, commands: readonly string[]): string {
  const suggestion = suggestionFor(word, commands);
  return suggestion === ''
    ? `unexpected argument '${word}'; --help lists what there is`
    : `unknown command '${word}'${suggestion}`;
}
