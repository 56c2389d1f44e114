import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { arms } from '../../emulation/player/arms/index.ts';
import { studies } from '../../emulation/studies/sessions/index.ts';
import { commands, formatHelp } from '../commands.ts';
import { markdownFiles } from '../snippets/read-snippets.ts';

/* Compares each command on a page, in a block of code or within a line, with the help of the command. */

const root = fileURLToPath(new URL('../..', import.meta.url));

interface PrintedCommand {
  readonly name: string;
  readonly words: readonly string[];
}

/** Returns the commands in a text: `npm run NAME -- WORDS`. Joins lines that end in a backslash. */
function findCommands(text: string): PrintedCommand[] {
  const code = [
    ...[...text.matchAll(/^([ >]*)```\w*\n(.*?)^\1```/gms)].map(([, , block = '']) => block),
    ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, line = '']) => line),
  ].join('\n');
  return [
    ...code.replaceAll(/\\\n\s*/g, ' ').matchAll(/\bnpm (?:run (?:-s )?([\w:]+)|(start))(?: -- (.*))?/g),
  ].map(([, run, start, line = '']) => {
    const [command = ''] = line.split(/ #|[|>;&]|\)|`/);
    return { name: run ?? start ?? '', words: command.split(/\s+/).filter((word) => word !== '') };
  });
}

/** Commands that are not checked, because a compiled program prints their help. */
const OF_PROGRAMS = ['transport'];
/**
 * The last commit that contains some benchmarks, which were removed after they had answered their question. The log's
 * pages that need these benchmarks name this commit.
 */
const COMMIT_OF_BENCHMARKS = '5c9d3738';
/** The name of the study that the page about writing a study uses as its example. */
const OF_READERS = 'three-rates';

/** Returns the problems of a command. */
async function findProblems({ name, words }: PrintedCommand): Promise<string[]> {
  if (!Object.hasOwn(commands, name) || OF_PROGRAMS.includes(name)) return [];
  const positionals = words.filter((word) => !word.startsWith('-'));
  const help = await formatHelp(name, positionals);
  const [action, study] = positionals;
  const isStudy = name === 'lab' && action === 'run' && study !== undefined && /^[a-z-]+$/.test(study);
  if (study === OF_READERS) return [];
  if (isStudy && !studies.some((each) => each.name === study)) return [`no study '${study}'`];
  const options = words
    .flatMap((word) => /^--[\w-]+/.exec(word) ?? [])
    .filter((option) => option !== '--help');
  return [
    ...options
      .filter((option) => !new RegExp(`${option}\\b(?!-)`).test(help))
      .map((each) => `no option ${each}`),
    ...(isStudy ? findArms(words) : [])
      .filter((arm) => !arms.some((each) => each.name === arm))
      .map((arm) => `no arm '${arm}'`),
  ];
}

/**
 * Returns the arms of `--arms`, without those that take constants from a file (`ARM@FILE`), and without placeholders
 * such as A,B.
 */
function findArms(words: readonly string[]): string[] {
  const given = words[words.indexOf('--arms') + 1];
  if (!words.includes('--arms') || given === undefined) return [];
  return given.split(',').filter((arm) => /^[a-z0-9-]+$/.test(arm));
}

/** Options whose value is a file or folder that a command writes. */
const OUTPUT_OPTIONS = ['--out', '--csv', '--puffer', '--sessions'];
/** Files that commands write without such an option. */
const DEFAULT_OUTPUTS = ['experiment.html', 'puffer.html', 'experiment-demo'];

/**
 * Returns the files and folders that a command adds to the checkout: no placeholders such as DIR, no paths elsewhere, no
 * models and documentation, which are committed, and no numbers, which other commands have after `--sessions`.
 */
function findOutputs({ words }: PrintedCommand): string[] {
  return words
    .filter((_, index) => OUTPUT_OPTIONS.includes(words[index - 1] ?? ''))
    .filter((name) => /^[a-z][\w./-]*$/.test(name) && !/[A-Z]|^(models|docs)\//.test(name));
}

describe('commands that pages print', () => {
  it('write only files that git ignores, because results state whether the checkout has changes', () => {
    const printed = markdownFiles(root).flatMap((file) => findCommands(readFileSync(file, 'utf8')));
    const outputs = [...new Set([...DEFAULT_OUTPUTS, ...printed.flatMap(findOutputs)])];
    // A path inside, because some patterns match only folders.
    const inside = (name: string) => `${name}/x`;
    const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], {
      cwd: root,
      encoding: 'utf8',
      input: outputs.map(inside).join('\n'),
    });
    expect(outputs).toContain('tryout');
    expect(outputs.filter((name) => !stdout.split('\n').includes(inside(name)))).toEqual([]);
  });

  it.each(markdownFiles(root).map((file) => [relative(root, file), file]))('%s', async (_, file) => {
    const text = readFileSync(file, 'utf8');
    const isPast = ({ name }: PrintedCommand) => name === 'bench' && text.includes(COMMIT_OF_BENCHMARKS);
    const present = findCommands(text).filter((command) => !isPast(command));
    const problems = await Promise.all(
      present.map(async (command) =>
        (await findProblems(command)).map(
          (problem) => `npm run ${command.name} -- ${command.words.join(' ')}: ${problem}`,
        ),
      ),
    );
    expect(problems.flat()).toEqual([]);
  });

  it('reports an unknown option, study and arm', async () => {
    const [printed] = findCommands('```sh\nnpm run lab -- run single --arms dashjs,sami --quik # x\n```\n');
    expect(printed && (await findProblems(printed))).toEqual(['no option --quik', "no arm 'sami'"]);
    const [other] = findCommands('see `npm run lab -- run singel`');
    expect(other && (await findProblems(other))).toEqual(["no study 'singel'"]);
  });
});
