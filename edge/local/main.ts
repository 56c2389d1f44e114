#!/usr/bin/env node
import { errorLine } from '../../system/error-line.ts';
import { printable } from '../../system/printable.ts';
import { help, main } from './command.ts';

/** The command of the package, which runs the edge as a standalone program. */
const NAME = 'dashjs-sammy-edge';
const args = process.argv.slice(2);
try {
  if (args.includes('--help') || args.includes('-h'))
    console.log(help.replace('npm run edge --', `npx ${NAME}`).trim());
  else await main(args);
} catch (error) {
  // Print one line, because most errors can be fixed by the operator. DEBUG=1 also shows the stack.
  console.error(process.env.DEBUG ? error : `${NAME}: ${printable(errorLine(error))}`);
  process.exitCode = 1;
}
