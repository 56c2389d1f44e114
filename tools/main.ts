import manifest from '../package.json' with { type: 'json' };
import { suggestionFor } from '../system/command-line/suggestion.ts';
import { printable } from '../system/printable.ts';
import { npmWords } from './command-list.mjs';
import { commands, formatHelp } from './commands.ts';

const [name = 'help', ...args] = process.argv.slice(2);
const listed = commands[name];

/** Prints programming errors with their stack, and errors that the user can fix as one line. */
function report(error: unknown): void {
  const programmingError =
    (error instanceof TypeError && !('code' in error)) ||
    error instanceof ReferenceError ||
    error instanceof RangeError;
  // Print only the first line: some libraries append a long explanation.
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const page = listed ? ` (docs/${listed.pages?.[args[0] ?? ''] ?? listed.page})` : '';
  const line = `dashjs-sammy ${name}: ${printable(message)}${page}`;
  console.error(programmingError || process.env.DEBUG ? error : line);
  process.exitCode = 1;
}

// A reader such as `head` may close the output. The command then ends as at a signal, without an error message.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.kill(process.pid, 'SIGTERM');
});

if (!listed) {
  console.error(
    `dashjs-sammy: unknown command '${printable(name)}'${suggestionFor(name, Object.keys(commands))}; known: ${Object.keys(commands).join(', ')}; npm run help says what each does`,
  );
  process.exit(1);
}
/** The arguments for this program. Arguments after `--` are for another program. */
const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
try {
  if (own.includes('--help') || own.includes('-h')) console.log(await formatHelp(name, own));
  else if (own.includes('--version')) console.log(manifest.version);
  else if (listed.hasNoArguments && args.length > 0)
    throw new Error(`unexpected argument '${args.join(' ')}'; ${npmWords(name)} has none`);
  else await (await listed.load()).main(args);
} catch (error) {
  report(error);
}
