import { commands } from './commands.ts';

const [name = '', ...args] = process.argv.slice(2);

/** Mistakes of ours keep their stack; what the user can mend is one line. */
function report(error: unknown): void {
  const programmingError =
    (error instanceof TypeError && !('code' in error)) ||
    error instanceof ReferenceError ||
    error instanceof RangeError;
  // One line: some libraries explain themselves at length below the first.
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  console.error(programmingError || process.env.DEBUG ? error : `dashjs-sammy ${name}: ${message}`);
  process.exitCode = 1;
}

const load = commands[name];
if (!load) {
  console.error(`dashjs-sammy: unknown command '${name}'; known: ${Object.keys(commands).join(', ')}`);
  process.exit(1);
}
try {
  const command = await load();
  if (args.includes('--help') || args.includes('-h')) console.log(command.help.trim());
  else await command.main(args);
} catch (error) {
  report(error);
}
