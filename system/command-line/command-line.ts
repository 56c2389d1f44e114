import { Command, CommanderError, Option as CommanderOption } from 'commander';

/**
 * An option of a command, declared once for parsing, help, and the reference page. An option without `valueName` is a
 * flag. `parse` converts the option's text, or throws an Error that names the option. Without `parse`, the value is a
 * string.
 */
export interface Option {
  readonly valueName?: string;
  readonly about: string;
  readonly parse?: Parser<unknown>;
  /** Whether the option may be repeated. The value is then a list. */
  readonly isRepeated?: true;
  /** Whether to hide the option from the help, because only the program itself passes it to its processes. */
  readonly isInternal?: true;
}
export type Options = Readonly<Record<string, Option>>;

/** Parses the value of the option `name`. Throws a one-line Error that names the expected format. */
export type Parser<Value> = (text: string, name: string) => Value;

/** The type of an option's value; `unknown` if the option is not known at compile time. */
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

/** The parsed values by option name. Reading an undeclared option does not compile. */
export type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]?: ValueOf<O[Name]> | undefined;
};

interface Declared<O extends Options> {
  /** The command without its arguments, such as `npm run lab -- world`. */
  readonly command: string;
  /** The arguments, such as `DIR [options]`. Default: `[options]`. */
  readonly usage?: string;
  readonly about: string;
  /** The maximum number of arguments that are not options. Default: 0. */
  readonly maxPositionals?: number;
  readonly options: O;
}

/** A parsed command line. */
export interface Parsed<O extends Options> {
  readonly positionals: readonly string[];
  readonly values: ValuesOf<O>;
  /** The command line as typed, for manifests. */
  readonly command: string;
}

export interface CommandLine<O extends Options = Options> {
  /** The output of `--help`. */
  readonly help: string;
  readonly options: O;
  /** Throws a one-line Error for an unknown option, an excess argument, or an invalid value. */
  parse(args: readonly string[]): Parsed<O>;
}

/** The width of help lines in characters. The same on every terminal, because the reference page contains the help. */
const HELP_WIDTH = 110;

/** Creates the parser and the help of a command. */
export function defineCommandLine<const O extends Options>(declared: Declared<O>): CommandLine<O> {
  const { command, usage = '[options]', about, options, maxPositionals = 0 } = declared;
  const seeHelp = `; ${command} --help`;
  return {
    help: createCommander(options, seeHelp)
      .name(command)
      .usage(usage)
      .description(about)
      .helpInformation()
      .trim(),
    options,
    parse(args) {
      const { positionals, values } = parsed(args, options, seeHelp);
      const unexpected = positionals[maxPositionals];
      if (unexpected !== undefined) throw new Error(`unexpected argument '${unexpected}'${seeHelp}`);
      return { positionals, values, command: [command, ...args].join(' ') };
    },
  };
}

/** A subcommand, named by the first word of a command line. */
interface Listed {
  /** A one-line description. */
  readonly about: string;
}

export interface Commands<Name extends string> {
  /** The list of commands with their descriptions. */
  readonly help: string;
  /** Throws a one-line Error for an unknown command, with suggestions of similar names. */
  named(word: string): Name;
}

/** Defines the subcommands of `command`, in the order of the help. */
export function defineCommands<Name extends string>(
  command: string,
  usage: string,
  listed: Readonly<Record<Name, Listed>>,
): Commands<Name> {
  const entries = Object.entries<Listed>(listed) as [Name, Listed][];
  const program = (onNamed: (name: Name) => void) => {
    const all = createCommander({}, `; ${command} lists them`).name(command).usage(usage).helpCommand(false);
    for (const [name, { about }] of entries)
      all
        .command(name)
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

/**
 * Returns the first argument that is neither an option nor an option's value. Throws a one-line Error for an unknown
 * option.
 */
export const firstPositional = (
  args: readonly string[],
  options: Options,
  command: string,
): string | undefined => {
  const unparsed = Object.entries(options).map(([name, { parse: _, ...option }]) => [name, option] as const);
  return parsed(args, Object.fromEntries(unparsed), `; ${command} --help`).positionals[0];
};

function parsed<O extends Options>(args: readonly string[], options: O, seeHelp: string) {
  const commander = createCommander(options, seeHelp)
    .argument('[arguments...]')
    .parse(args, { from: 'user' });
  const given: Readonly<Record<string, unknown>> = commander.opts();
  const values = Object.fromEntries(
    Object.keys(options)
      .map((name) => [name, given[attributeName(name)]] as const)
      .filter(([, value]) => value !== undefined),
  );
  return { positionals: commander.args, values: values as ValuesOf<O> };
}

/** Returns Commander's attribute name of an option: `dropAbove` for `drop-above`. */
const attributeName = (name: string): string => new CommanderOption(`--${name}`).attributeName();

/** Configures Commander to throw one-line Errors instead of printing and exiting. */
function createCommander(options: Options, seeHelp: string): Command {
  const commander = new Command()
    .configureHelp({ helpWidth: HELP_WIDTH })
    .configureOutput({ outputError: () => undefined })
    .exitOverride((error) => {
      throw error.code === 'commander.helpDisplayed' ? error : new Error(`${formatLine(error)}${seeHelp}`);
    });
  for (const [name, declared] of Object.entries(options)) {
    const { valueName, about, parse, isInternal = false, isRepeated = false } = declared;
    const option = new CommanderOption(`--${name}${valueName === undefined ? '' : ` <${valueName}>`}`, about);
    if (isInternal) option.hideHelp();
    if (valueName !== undefined)
      option.argParser((text, before: unknown) => {
        // Reject empty values: an empty --out, for example, would mean the current folder.
        if (text === '') throw new Error(`--${name} is empty${seeHelp}`);
        const value = parse ? parse(text, name) : text;
        if (before !== undefined && !isRepeated) throw new Error(`--${name} is given twice${seeHelp}`);
        return isRepeated ? [...((before as unknown[] | undefined) ?? []), value] : value;
      });
    commander.addOption(option);
  }
  return commander;
}

/** Commander's message on one line, without its `error: ` label. */
const formatLine = ({ message }: CommanderError): string =>
  message.replace(/^error: /, '').replaceAll('\n', ' ');
