import { abouts, npmWords } from '../command-list.mjs';
import { commands, formatHelp } from '../commands.ts';

/** Returns the help of a command and of each of its actions. */
async function listAll(name: string): Promise<string> {
  const actions = Object.keys((await commands[name]?.load())?.actions ?? {});
  const pages = await Promise.all(
    [[], ...actions.map((action) => [action])].map((args) => formatHelp(name, args)),
  );
  return pages.join('\n\n\n');
}

/** Returns the reference of the command line in Markdown: the output of each command's `--help`. */
export async function commandsPage(pagesOf = listAll): Promise<string> {
  const listed = Object.entries(commands).filter(([name]) => name !== 'help');
  const rows = listed.map(
    ([name]) => `| [\`${npmWords(name)}\`](#${name.replace(':', '-')}) | ${abouts[name]} |`,
  );
  const sections = await Promise.all(
    listed.map(async ([name]) => `## ${name}\n\n\`\`\`text\n${(await pagesOf(name)).trim()}\n\`\`\`\n`),
  );
  return [
    '# Commands\n',
    'Each is run in a checkout, installs what it needs, and prints this with `--help`. The exit status is 0, or 1 with one line that says what is wrong and how to mend it.\n',
    ['| command | what it does |', '| --- | --- |', ...rows].join('\n'),
    '',
    ...sections,
  ].join('\n');
}
