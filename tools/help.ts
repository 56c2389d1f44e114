import { commands, npmWords } from './commands.ts';

export const help = `
npm run help

Lists the commands.
`;

export function main(): void {
  const lines = Object.entries(commands).map(([name, { about }]) => `  ${npmWords(name).padEnd(26)}${about}`);
  console.log(
    `${lines.join('\n')}\n\nEach has --help, as in npm run edge -- --help. The documentation: npm run docs`,
  );
}
