import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { defineCommandLine, defineCommands } from '../system/command-line/command-line.ts';
import { wholeNumber } from '../system/command-line/parsers.ts';
import { compileFile } from './compiler/compile.ts';
import type { Compiled } from './compiler/compile.ts';
import { UnsupportedCommand, runStf } from './stf.ts';
import { readConfig } from './switch/config.ts';
import { serveControl } from './switch/live/control-server.ts';

/** Exit status for a valid program that uses an unsupported feature. */
const UNSUPPORTED = 2;

const MAX_PORT = 65_535;

interface Action {
  readonly help: string;
  main(args: string[]): Promise<void> | void;
}

interface Listed {
  readonly about: string;
  load(): Promise<Action>;
}

const listed = (about: string, action: Action): Listed => ({ about, load: () => Promise.resolve(action) });

/** Defines an action whose arguments are files. `details` is the text of its own help. */
function fileAction(
  [name, usage]: readonly [name: string, usage: string],
  about: string,
  details: string,
  run: (files: readonly string[]) => unknown,
): Listed {
  const commandLine = defineCommandLine({
    ...{ command: `npm run p4 -- ${name}`, usage, about: details, maxPositionals: usage.split(' ').length },
    options: {},
  });
  return listed(about, {
    help: commandLine.help,
    main: async (args) => void (await run(commandLine.parse(args).positionals)),
  });
}

const collector = defineCommandLine({
  command: 'npm run p4 -- collect',
  usage: '--port N --out FILE',
  about:
    "Writes the switch's postcards as CSV until it is interrupted; docs/reference/time-series.md describes it.",
  options: {
    port: { valueName: 'N', about: 'of UDP, where they arrive', parse: wholeNumber(1, MAX_PORT) },
    out: { valueName: 'FILE', about: 'compressed if it ends in .gz' },
  },
});

export const actions: Readonly<Record<string, Listed>> = {
  check: fileAction(
    ['check', 'FILE.p4'],
    'check a P4_16 program for v1model',
    'Checks a P4_16 program for v1model.',
    runCheck,
  ),
  stf: fileAction(
    ['stf', 'FILE.p4 FILE.stf'],
    "run a test of the P4 compilers' simple test format",
    "Runs a test of the P4 compilers' simple test format. Exit status: 0 passed, 1 failed, 2 something is not supported.",
    runStfFile,
  ),
  javascript: fileAction(
    ['javascript', 'FILE.p4'],
    'print the JavaScript that a program becomes',
    'Prints the JavaScript that a program becomes.',
    printJavascript,
  ),
  switch: fileAction(
    ['switch', 'CONFIG.json'],
    'run a switch between TAP interfaces (root)',
    'Runs a switch between TAP interfaces until it is interrupted. Needs root.',
    ([config]) => runSwitch(requireFile(config, 'CONFIG.json')),
  ),
  collect: listed("write the switch's postcards to a file", {
    help: collector.help,
    main(args) {
      const { port, out } = collector.parse(args).values;
      return runCollector(port, out);
    },
  }),
  fuzz: { about: 'mutated programs and frames', load: () => import('./fuzz-command.ts') },
};

const commands = defineCommands('npm run p4 --', 'COMMAND [options]', actions);

export const help = `
${commands.help}

Options of a command: npm run p4 -- COMMAND --help
`;

export async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined) {
    console.log(help.trim());
    return;
  }
  await (await actions[commands.named(name)]?.load())?.main(args);
}

function printJavascript([program]: readonly string[]): void {
  const compiled = compileOrReport(requireFile(program, 'FILE.p4'));
  if (compiled) process.stdout.write(compiled.javascript);
}

function requireFile(path: string | undefined, what: string): string {
  if (!path) throw new Error(`${what} is missing; npm run p4 -- --help`);
  if (!existsSync(path)) throw new Error(`there is no file '${path}'`);
  return path;
}

/**
 * Compiles a program, prints its diagnostics, and sets the exit status: 2 if the only errors are unsupported features.
 */
function compileOrReport(path: string): Compiled | undefined {
  const compiled = compileFile(path);
  const { diagnostics } = compiled;
  if (diagnostics.list.length) console.error(diagnostics.render());
  if (!diagnostics.failed) return compiled;
  process.exitCode = diagnostics.errors.length ? 1 : UNSUPPORTED;
  return undefined;
}

function runCheck(files: readonly string[]): void {
  const path = requireFile(files[0], 'FILE.p4');
  const compiled = compileOrReport(path);
  if (!compiled) return;
  const { tables, units } = compiled.program;
  console.log(`${path}: ok, ${units.length} parsers and controls, ${tables.length} tables`);
}

function runStfFile(files: readonly string[]): void {
  const program = requireFile(files[0], 'FILE.p4');
  const test = requireFile(files[1], 'FILE.stf');
  const compiled = compileOrReport(program);
  if (!compiled) return;
  try {
    const { passed, difference, warnings } = runStf(compiled, readFileSync(test, 'utf8'));
    for (const warning of warnings) console.error(`${test}: ${warning}`);
    console.log(passed ? 'PASS' : `FAIL ${difference ?? ''}`);
    if (!passed) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof UnsupportedCommand)) throw error;
    console.log(`not supported: ${error.message}`);
    process.exitCode = UNSUPPORTED;
  }
}

async function runSwitch(path: string): Promise<void> {
  const { LiveSwitch } = await import('./switch/live/live.ts');
  const config = readConfig(path);
  const { controlPort, ports } = config;
  const device = await LiveSwitch.start(config);
  let server: Server | undefined;
  try {
    if (controlPort !== undefined) server = await serveControl(device, controlPort);
    console.log(`forwarding between ${ports.size} ports; interrupt to stop`);
    if (controlPort !== undefined) console.log(`counts at http://127.0.0.1:${controlPort}/`);
    const signal = interruptSignal();
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), device.died]);
    console.log(JSON.stringify(await device.stop(), undefined, 2));
  } finally {
    server?.close();
    server?.closeAllConnections();
    // Stops the switch again in case the first call was not reached. If the switch has died, its error has already been
    // reported.
    await device.stop().catch(() => undefined);
  }
}

async function runCollector(port: number | undefined, out: string | undefined): Promise<void> {
  if (port === undefined) throw new Error(`--port is missing, expected a UDP port from 1 to ${MAX_PORT}`);
  if (out === undefined)
    throw new Error('--out is missing: the file for the postcards, such as postcards.csv.gz');
  const { collect, summary } = await import('./collector/collect.ts');
  const stats = await collect(port, out, interruptSignal());
  console.log(`${out}: ${summary(stats)}`);
}

/** Returns a signal that aborts at the first SIGINT, SIGTERM or SIGHUP. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
}
