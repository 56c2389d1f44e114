import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTraces, type TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { hasFinishedRun } from '../../harness/runs/finished-run.ts';
import { HARNESS_OPTIONS } from '../../harness/runs/harness-options.ts';
import { hasManifest } from '../../harness/runs/manifest.ts';
import { runStudy } from '../../harness/runs/run-study.ts';
import { shardFolder, shardName } from '../../harness/runs/shard.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';
import { defineCommandLine, type ValuesOf } from '../../../system/command-line/command-line.ts';
import { conclusionLines } from './conclusion.ts';
import { makeConfirmation } from './confirmation.ts';
import { type ConfirmationSettings, makeSettings } from './confirmation-settings.ts';
import { protocolHash, readProtocol } from './protocol.ts';
import { listPath, recordPlay, register, requireRegistered, shortened } from './registered.ts';
import { readSets, requireUnused, withHashes } from './trace-sets.ts';
import { noteUsed } from './used-traces.ts';

const REHEARSED =
  ': a rehearsal shows the result, so no protocol may be registered or played with them; commit the list';

const commandLine = defineCommandLine({
  command: 'npm run lab -- confirm',
  usage: 'PROTOCOL [options]',
  about:
    'Plays what a registered protocol plans, by dash.js itself in virtual time, on traces that no constant was chosen with, and prints what may be said of it.',
  maxPositionals: 1,
  options: {
    traces: {
      valueName: 'SET=F,...',
      about: 'the file or folder of each set that is not drawn, identified by what is in it',
    },
    register: {
      about:
        'plays nothing: fills in the hashes of the sets, and keeps name, content and code in registered.json',
    },
    rehearse: { about: 'any traces, which confirm nothing then or later' },
    out: { valueName: 'DIR', about: 'where the results go (lab-results/confirm/NAME)' },
    resume: HARNESS_OPTIONS.resume,
    shard: HARNESS_OPTIONS.shard,
    jobs: { valueName: 'N', about: 'processes (1)', parse: wholeNumber(1) },
    used: {
      valueName: 'F,...',
      about: 'no protocol: notes that constants were chosen with these traces, which confirm nothing then',
    },
  },
});
export const { help } = commandLine;
type Values = ValuesOf<typeof commandLine.options>;

/** Registers a protocol, or plays the protocol and prints its conclusion. */
export async function main(args: readonly string[]): Promise<void> {
  const { positionals, values, command } = commandLine.parse(args);
  const [file] = positionals;
  if (values.used !== undefined) {
    const files = values.used.split(',').map((each) => readTraces(each));
    return note((await Promise.all(files)).flat());
  }
  if (file === undefined) throw new Error('confirm needs a protocol: npm run lab -- confirm PROTOCOL');
  if (!existsSync(file))
    throw new Error(
      `there is no protocol ${file}; the registered ones are in emulation/studies/confirm/protocols`,
    );
  const protocol = readProtocol(file);
  const traces = await readSets(protocol, parseFiles(values.traces));
  if (values.register) {
    await requireUnused(traces);
    const filled = await withHashes(protocol, traces);
    register(file, filled, new Date());
    console.log(
      `${filled.name} is registered as ${shortened(protocolHash(filled))}; commit ${file} and ${listPath(file)} before it is run`,
    );
    return;
  }
  const rehearsal = values.rehearse ?? false;
  if (!rehearsal) {
    requireRegistered(file, protocol);
    await withHashes(protocol, traces);
    await requireUnused(traces);
  }
  const outDir = resolve(
    values.out ?? join('lab-results', 'confirm', shardFolder(protocol.name, values.shard)),
  );
  const settings = makeSettings(protocol, traces, rehearsal);
  const isNew = !(values.resume === true && hasManifest(outDir));
  if (isNew && rehearsal) await note(Object.values(traces).flat(), REHEARSED);
  const seen =
    isNew && !rehearsal
      ? recordPlay(file, protocol.name, values.shard && shardName(values.shard), new Date())
      : null;
  await play(seen === null ? settings : { ...settings, seen }, values, { command, outDir });
}

async function play(
  settings: ConfirmationSettings,
  values: Values,
  { command, outDir }: { readonly command: string; readonly outDir: string },
): Promise<void> {
  const { places } = settings.protocol;
  const { jobs = 1, shard } = values;
  await runStudy(makeConfirmation(settings), {
    asked: { jobs },
    ...{ seed: places.seed, shard, outDir, resume: values.resume ?? false, command },
  });
  if (hasFinishedRun(outDir)) console.log(conclusionLines(outDir).join('\n'));
}

async function note(traces: readonly TracedLink[], why = ''): Promise<void> {
  console.log(`${await noteUsed(traces)} of ${traces.length} traces are new in the list of those used${why}`);
}

/** Parses `puffer=FILE,oboe=FILE` into the file of each set. */
function parseFiles(text: string | undefined): Readonly<Record<string, string>> {
  const given = text?.split(',').map((each) => {
    const [, set, file] = /^([^=]+)=(.+)$/.exec(each) ?? [];
    if (set === undefined || file === undefined)
      throw new Error(`--traces is '${each}', expected SET=FILE, separated by commas`);
    return [set, file] as const;
  });
  return Object.fromEntries(given ?? []);
}
