#!/usr/bin/env node
import { lineOf } from '../../system/line-of.ts';
import { printable } from '../../system/printable.ts';
import { help, main } from './command.ts';

/** The edge as a program of its own, which the package `dashjs-sammy-edge` has as its `bin`. */
const NAME = 'dashjs-sammy-edge';
const args = process.argv.slice(2);
try {
  if (args.includes('--help') || args.includes('-h'))
    console.log(help.replace('npm run edge --', `npx ${NAME}`).trim());
  else await main(args);
} catch (error) {
  // One line says what the operator can mend; with DEBUG=1 the stack is shown too.
  console.error(process.env.DEBUG ? error : `${NAME}: ${printable(lineOf(error))}`);
  process.exitCode = 1;
}
