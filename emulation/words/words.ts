import { parseArgs } from 'node:util';
import { lineOf } from '../../system/line-of.ts';

/** An option of an action. With `of` it has a value, of which this is the help's name. */
export interface Option {
  readonly of?: string;
  readonly about: string;
}
export type Options = Readonly<Record<string, Option>>;

/** What a command line says: an action reads only options that it has, or does not compile. */
export type ValuesOf<O extends Options> = {
  readonly [Name in keyof O]?: (O[Name] extends { readonly of: string } ? string : boolean) | undefined;
};

/** The words that an action of the lab takes, and what is said of them. */
interface Declared<O extends Options> {
  /** Such as `world`, or `run paper`, whose words after `run` are what is read. */
  readonly action: string;
  /** What stands after it, such as `DIR [options]`; `[options]` when not given. */
  readonly takes?: string;
  readonly about: string;
  /** The most words that are no options: the experiment, or folders. */
  readonly subjects?: number;
  readonly options: O;
}

/** The words of one command line. */
export interface Read<O extends Options> {
  readonly subjects: readonly string[];
  readonly values: ValuesOf<O>;
  /** As it was written, for manifests. */
  readonly command: string;
}

export interface Words<O extends Options = Options> {
  /** The page that `npm run lab -- ACTION --help` prints. */
  readonly help: string;
  readonly options: O;
  /**
   * Throws an Error for words that the action would ignore: the user of `run single --quick` would otherwise get a run
   * of an hour.
   */
  read(args: readonly string[]): Read<O>;
}

/** The words of an action, declared once: what is read, what is refused, and the page of help. */
export function wordsOf<const O extends Options>(declared: Declared<O>): Words<O> {
  const { action, options, subjects: most = 0 } = declared;
  const [first = action] = action.split(' ');
  const help = `npm run lab -- ${first} --help`;
  const has = Object.keys(options)
    .map((name) => `--${name}`)
    .join(', ');
  const refused = (name: string): Error =>
    new Error(`${action} has no ${name}; it has ${has === '' ? 'no options' : has}`);
  return {
    help: pageOf(declared),
    options,
    read(args) {
      const { values, positionals } = parsed(args, options, help, refused);
      const unexpected = positionals[most];
      if (unexpected !== undefined) throw new Error(`unexpected argument '${unexpected}'; ${help}`);
      // An empty --out would mean the present folder.
      const empty = Object.keys(values).find((name) => values[name] === '');
      if (empty !== undefined) throw new Error(`--${empty} is empty; ${help}`);
      const command = ['npm run lab --', first, ...args].join(' ');
      return { subjects: positionals, values: values as ValuesOf<O>, command };
    },
  };
}

/** The first word that is no option, nor the value of one. */
export const firstSubject = (args: readonly string[], options: Options): string | undefined =>
  parseArgs({ args: negativesJoined(args), allowPositionals: true, strict: false, options: asNode(options) })
    .positionals[0];

const asNode = (options: Options) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { of }]) => [
      name,
      { type: of === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );

/** `--rtt -1` as `--rtt=-1`, so that the option refuses its value: Node would call the option ambiguous. */
const negativesJoined = (args: readonly string[]): string[] =>
  args.reduce<string[]>((words, word) => {
    const before = words.at(-1);
    const negative = /^-[\d.]/.test(word) && before?.startsWith('--') && !before.includes('=');
    return negative ? [...words.slice(0, -1), `${before}=${word}`] : [...words, word];
  }, []);

function parsed(args: readonly string[], options: Options, help: string, refused: (name: string) => Error) {
  try {
    return parseArgs({ args: negativesJoined(args), allowPositionals: true, options: asNode(options) });
  } catch (error) {
    const unknown = /^Unknown option '(-[^']*)'/.exec(lineOf(error))?.[1];
    if (unknown !== undefined) throw refused(unknown);
    // Only the first sentence of Node's message: the rest explains how to write words that begin with a dash.
    throw new Error(`${lineOf(error).replace(/\. .*|\.$/, '')}; ${help}`, { cause: error });
  }
}

/** A line of help is at most so long. */
const WIDTH = 110;

function pageOf({ action, takes = '[options]', about, options }: Declared<Options>): string {
  const listed = Object.entries(options).map(
    ([name, option]) => [`--${name}${option.of === undefined ? '' : ` ${option.of}`}`, option.about] as const,
  );
  const indent = 4 + Math.max(0, ...listed.map(([written]) => written.length));
  const lines = listed.map(([written, said]) =>
    wrapped(said, WIDTH - indent)
      .map((line, at) => (at === 0 ? `  ${written}`.padEnd(indent) : ' '.repeat(indent)) + line)
      .join('\n'),
  );
  return [
    `npm run lab -- ${action}${takes === '' ? '' : ` ${takes}`}`,
    '',
    ...wrapped(about, WIDTH),
    ...(lines.length > 0 ? ['', ...lines] : []),
  ].join('\n');
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
