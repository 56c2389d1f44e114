import { commands, npmWords } from '../commands.ts';

const loaded = async (name: string): Promise<string> => (await commands[name]?.load())?.help ?? '';

/** The reference of the command line, in Markdown: what each command prints of itself with `--help`. */
export async function commandsPage(helpOf = loaded): Promise<string> {
  const listed = Object.entries(commands).filter(([name]) => name !== 'help');
  const rows = listed.map(
    ([name, { about }]) => `| [\`${npmWords(name)}\`](#${name.replace(':', '-')}) | ${about} |`,
  );
  const sections = await Promise.all(
    listed.map(async ([name]) => `## ${name}\n\n\`\`\`text\n${(await helpOf(name)).trim()}\n\`\`\`\n`),
  );
  return [
    '# Commands\n',
    'Each is run in a checkout, installs what it needs, and prints this with `--help`. The exit status is 0, or 1 with one line that says what is wrong and how to mend it.\n',
    ['| command | what it does |', '| --- | --- |', ...rows].join('\n'),
    '',
    ...sections,
  ].join('\n');
}
