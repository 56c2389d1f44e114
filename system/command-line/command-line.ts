import { Command, CommanderError, Option as CommanderOption } from 'commander';

/**
 * An option of a command, declared once: for parsing, for help, and for the reference page. Without `valueName` it is a flag.
 * `parse` makes its value of its text, or throws an Error that names the option; a text without it stays a string.
 */
export interface Option {
  readonly valueName?: string;
  readonly about: string;
  readonly parse?: Parser<unknown>;
  /** Whether it may be given several times: its value is the list of them. */
  readonly isRepeated?: true;
  /** Whether the help leaves it out, since only the program itself gives it. */
  readonly isInternal?: true;
  /** Of an old spelling, which is not in the help and prints a hint: the options that say now what its text said. */
  readonly becomes?: (text: string) => Readonly<Record<string, string>>;
}
export type Options = Readonly<Record<string, Option>>;

/** Reads the value of the option `name`. Throws an Error of one line that says what was expected. */
export type Parser<Value> = (text: string, name: string) => Value;

/** Unknown where the options are not known. */
type ValueOf<O extends Option> = Option extends O
  ? unknown
  : O extends { readonly isRepeated: true }
    ? readonly OneValueOf<O>[]
    : OneValueOf<O>;
type OneValueOf<O extends Option> = O extends { readonly parse: Parser<infer Value> }
  ? Value
  : O extends { readonly valueName: string }
    ? string
    : boolean;

/** The options that a command line has: a command reads only options that it declares, or does not compile. */
export type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]?: ValueOf<O[Name]> | undefined;
};

interface Declared<O extends Options> {
  /** The words before its arguments, such as `npm run lab -- world`. */
  readonly command: string;
  /** Its arguments, such as `DIR [options]`; `[options]` when not given. */
  readonly usage?: string;
  readonly about: string;
  /** The most arguments that are no options; none when not given. */
  readonly maxPositionals?: number;
  readonly options: O;
}

/** What one command line says. */
export interface Parsed<O extends Options> {
  readonly positionals: readonly string[];
  readonly values: ValuesOf<O>;
  /** As it was typed, for manifests. */
  readonly command: string;
}

export interface CommandLine<O extends Options = Options> {
  /** What `--help` prints. */
  readonly help: string;
  readonly options: O;
  /** Throws an Error of one line for an unknown option, an argument too many, or a value that is not as expected. */
  parse(args: readonly string[]): Parsed<O>;
}

/** A line of help is at most so long, on any terminal, since the reference page is made of it. */
const HELP_WIDTH = 110;

/** The command line of a command: what is parsed, what is refused, and its help. */
export function defineCommandLine<const O extends Options>(declared: Declared<O>): CommandLine<O> {
  const { command, usage = '[options]', about, options, maxPositionals = 0 } = declared;
  const seeHelp = `; ${command} --help`;
  return {
    help: commanderOf(options, seeHelp)
      .name(command)
      .usage(usage)
      .description(about)
      .helpInformation()
      .trim(),
    options,
    parse(args) {
      const { positionals, values: given } = parsed(args, options, seeHelp);
      const values = withoutOldSpellings(given, options);
      const unexpected = positionals[maxPositionals];
      if (unexpected !== undefined) throw new Error(`unexpected argument '${unexpected}'${seeHelp}`);
      return { positionals, values, command: [command, ...args].join(' ') };
    },
  };
}

/** One of the commands that the first word of a command line names. */
interface Listed {
  /** What it does, in one line. */
  readonly about: string;
  /** Whether the list leaves it out, since it is an old spelling. */
  readonly isOld?: true;
}

export interface Commands<Name extends string> {
  /** The list of them. */
  readonly help: string;
  /** Throws an Error of one line for a word that names none of them, with those that it is like. */
  named(word: string): Name;
}

/** The commands below `command`, in the order in which they are listed. */
export function defineCommands<Name extends string>(
  command: string,
  usage: string,
  listed: Readonly<Record<Name, Listed>>,
): Commands<Name> {
  const entries = Object.entries<Listed>(listed) as [Name, Listed][];
  const program = (onNamed: (name: Name) => void) => {
    const all = commanderOf({}, `; ${command} lists them`).name(command).usage(usage).helpCommand(false);
    for (const [name, { about, isOld = false }] of entries)
      all
        .command(name, { hidden: isOld })
        .description(about)
        .action(() => onNamed(name));
    return all;
  };
  return {
    help: program(() => undefined)
      .helpInformation()
      .trim(),
    named(word) {
      let found: Name | undefined;
      program((name) => (found = name)).parse([word], { from: 'user' });
      if (found === undefined) throw new Error(`unknown command '${word}'; ${command} lists them`);
      return found;
    },
  };
}

/** The first argument that is neither an option nor the value of one. Throws an Error of one line for an unknown option. */
export const firstPositional = (
  args: readonly string[],
  options: Options,
  command: string,
): string | undefined => {
  const unparsed = Object.entries(options).map(([name, { parse: _, ...option }]) => [name, option] as const);
  return parsed(args, Object.fromEntries(unparsed), `; ${command} --help`).positionals[0];
};

function parsed<O extends Options>(args: readonly string[], options: O, seeHelp: string) {
  const commander = commanderOf(options, seeHelp).argument('[arguments...]').parse(args, { from: 'user' });
  const given: Readonly<Record<string, unknown>> = commander.opts();
  const values = Object.fromEntries(
    Object.keys(options)
      .map((name) => [name, given[attributeOf(name)]] as const)
      .filter(([, value]) => value !== undefined),
  );
  return { positionals: commander.args, values: values as ValuesOf<O> };
}

/** The values with those of old spellings under their new names, unless these are given, too. */
function withoutOldSpellings<O extends Options>(given: ValuesOf<O>, options: O): ValuesOf<O> {
  const entries = Object.entries(given as Readonly<Record<string, unknown>>);
  const isOld = (name: string) => options[name]?.becomes !== undefined;
  const values = Object.fromEntries(entries.filter(([name]) => !isOld(name)));
  for (const [name, text] of entries) {
    if (typeof text !== 'string') continue;
    const now = Object.entries(options[name]?.becomes?.(text) ?? {});
    for (const [other, value] of now) values[other] ??= options[other]?.parse?.(value, other) ?? value;
    const words = now.map(([other, value]) => `--${other} ${value}`).join(' ');
    if (isOld(name)) console.error(`--${name} ${text} is now ${words}`);
  }
  return values as ValuesOf<O>;
}

/** `drop-above` is `dropAbove` in Commander. */
const attributeOf = (name: string): string => new CommanderOption(`--${name}`).attributeName();

/** Without its own output and its own end of the process: what is wrong is thrown, as one line. */
function commanderOf(options: Options, seeHelp: string): Command {
  const commander = new Command()
    .configureHelp({ helpWidth: HELP_WIDTH })
    .configureOutput({ outputError: () => undefined })
    .exitOverride((error) => {
      throw error.code === 'commander.helpDisplayed' ? error : new Error(`${lineOf(error)}${seeHelp}`);
    });
  for (const [name, declared] of Object.entries(options)) {
    const { valueName, about, parse, becomes, isInternal = false, isRepeated = false } = declared;
    const option = new CommanderOption(`--${name}${valueName === undefined ? '' : ` <${valueName}>`}`, about);
    if (becomes || isInternal) option.hideHelp();
    if (valueName !== undefined)
      option.argParser((text, before: unknown) => {
        // An empty --out would mean the present folder.
        if (text === '') throw new Error(`--${name} is empty${seeHelp}`);
        const value = parse ? parse(text, name) : text;
        return isRepeated ? [...((before as unknown[] | undefined) ?? []), value] : value;
      });
    commander.addOption(option);
  }
  return commander;
}

/** Commander's message without its label, with its suggestion in the same line. */
const lineOf = ({ message }: CommanderError): string => message.replace(/^error: /, '').replaceAll('\n', ' ');
