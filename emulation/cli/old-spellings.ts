import { join } from 'node:path';
import { firstPositional, type Options } from '../../system/command-line/command-line.ts';

/** An action's name before 0.2, and how its arguments translate to `lab` arguments today. */
interface OldSpelling {
  /** The old usage and the new command, for messages. */
  readonly usage: string;
  readonly isNow: string;
  readonly now: (args: readonly string[]) => readonly string[];
}

const OUT = { out: { valueName: 'DIR', about: '' } } as const satisfies Options;

/** The value of `--out`, and the arguments without it. */
function withoutOut(args: readonly string[]): { readonly out: string | undefined; readonly rest: string[] } {
  const rest: string[] = [];
  let out: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--out') out = args[++at];
    else if (word.startsWith('--out=')) out = word.slice('--out='.length);
    else rest.push(word);
  }
  return { out, rest };
}

/** Accepted until 0.2, with a hint, but not listed. */
export const OLD_SPELLINGS: Readonly<Record<string, OldSpelling>> = {
  compare: {
    usage: 'DIR DIR',
    isNow: 'report DIR --beside DIR',
    now([first = '', second, ...more]) {
      if (second === undefined) throw new Error('compare: which two folders? report DIR --beside DIR');
      return ['report', first, '--beside', second, ...more];
    },
  },
  validate: {
    usage: 'DIR... [--out DIR]',
    isNow: 'report DIR... --validate',
    now: (args) => ['report', ...args, '--validate'],
  },
  export: {
    usage: 'DIR [--out FOLDER]',
    isNow: 'report DIR --puffer FOLDER',
    now(args) {
      const folder = firstPositional(args, OUT, 'npm run lab -- export') ?? '';
      const { out = join(folder, 'puffer'), rest } = withoutOut(args);
      return ['report', ...rest, '--puffer', out];
    },
  },
  networks: {
    usage: 'LIST --part NAME --traces DIR --out FILE',
    isNow: 'learn-rule --networks LIST --part NAME --traces DIR --out FILE',
    now: ([list = '', ...args]) => ['learn-rule', '--networks', list, ...args],
  },
};
