import { printCommands } from './command-list.mjs';

export const help = `
npm run help

Lists the commands. It needs nothing installed.
`;

export const main = printCommands;
