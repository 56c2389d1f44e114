import { join, resolve } from 'node:path';
import { liveLack } from '../../../../p4/switch/live/live-lack.ts';
import { lifeCycle, type Life } from '../../../harness/runs/life-cycle.ts';
import { shardFolder, shardName, shardOf, type Shard } from '../../../harness/runs/shard.ts';
import { askedBaseline, askedWorld, patienceLine } from '../asked-world.ts';
import type { DesignName } from '../designs.ts';
import { askedWritten, refuseWritten } from '../files/written.ts';
import type { LinkRun } from '../link-run.ts';
import { makeTable, tableDesign } from '../table.ts';
import type { Values } from '../words.ts';
import { keepShard, shardIn } from './kept-shard.ts';
import { TCP_WORLD, WHOLE_DAY, type DayHours } from './real-time.ts';
import type { TcpLinkResult } from './run-tcp-link.ts';
import { ownRuns, runTcpLinks } from './run-tcp-links.ts';
import {
  finishExperiment,
  forget,
  LINKS_KEPT,
  linksOf,
  tellValidity,
  type TcpExperiment,
} from './tcp-experiment.ts';

/** Of a switchback by hours the wash-out is one hour, and a session takes up to three of this clock. */
const TABLE_DESIGNS = ['paired', 'ab'] as const satisfies readonly DesignName[];
const NOT_OVER_TCP: DesignName = 'switchback-hours';

/** What is asked for, read and found to be possible. */
interface TcpWorld extends Omit<LinkRun, 'link' | 'design' | 'treatment'> {
  readonly hours: DayHours;
  readonly jobs: number;
  readonly command: string;
}

/** Plays the links of an experiment or a seed, for which there is a folder. */
type Play = (runs: readonly LinkRun[], folder: string, shard?: Shard) => Promise<TcpLinkResult[]>;

/** `lab world --backend light`: the same experiments with light viewers on links of the P4 switch, in real time. */
export async function tcpWorld(values: Values, command: string): Promise<void> {
  const design = values.design ?? 'paired';
  if (design === NOT_OVER_TCP)
    throw new Error(
      `--design ${design}: over TCP a session takes up to three hours of the clock, more than the wash-out`,
    );
  const ofTable = values.table && values.design ? [tableDesign(values.design, TABLE_DESIGNS)] : undefined;
  if (!values.table && values.runs !== undefined) throw new Error('world: --runs is of --table');
  if (values.table) refuseWritten(values);
  // A day of a link takes eight minutes: days before an experiment are only played for who asks for them.
  const designs = values.table ? (ofTable ?? TABLE_DESIGNS) : [design];
  const baselineDays = askedBaseline(values, designs, 0);
  const written = askedWritten(values);
  const { treatment } = values;
  const asked: TcpWorld = {
    days: values.days ?? 1,
    seed: values.seed ?? 1,
    world: askedWorld(values, TCP_WORLD),
    hours: values.hours ?? WHOLE_DAY,
    jobs: values.jobs ?? 1,
    command,
  };
  const { shard: askedShard } = values;
  if (values.table && askedShard)
    throw new Error(
      'world: --shard is of one experiment; of a table give each machine seeds of its own, by --seed',
    );
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(`the live switch cannot run here: ${lack}; run it as root on Linux`);
  const name = values.table ? 'tcp-table' : `tcp-${treatment ?? 'sammy'}-${design}`;
  const outDir = resolve(values.out ?? join('lab-results', 'world', shardFolder(name, askedShard)));
  const shard = shardOf(outDir, askedShard, shardIn(outDir));
  await lifeCycle(
    outDir,
    async (life) => {
      const play = playing(asked, life);
      if (!values.table) {
        const all = { ...asked, treatment: treatment ?? 'sammy', design, baselineDays, written };
        await experiment(all, shard, outDir, play);
        return 'complete';
      }
      const { runs = 1 } = values;
      const treatments = treatment ? [treatment] : (['sammy', 'cap'] as const);
      const { hours, days, seed, world } = asked;
      const table = { days, seed, world, runs, treatments, baselineDays };
      await makeTable(
        { ...table, designs: ofTable ?? TABLE_DESIGNS, settings: { over: 'tcp', hours } },
        outDir,
        async (links, ofSeed) => (await play(links, join(outDir, `${ofSeed}`))).map(({ rows }) => rows),
        (ofSeed) => {
          forget(join(outDir, `${ofSeed}`));
          console.log(`seed ${ofSeed}: done`);
        },
      );
      console.log(patienceLine(world));
      console.log(`npm run experiment -- world ${outDir}`);
      return 'complete';
    },
    { goesOnBy: 'the same command' },
  );
}

/** Plays the experiment, or the shard of it, whose links are kept for `merge`. */
async function experiment(
  asked: TcpExperiment,
  shard: Shard | undefined,
  outDir: string,
  play: Play,
): Promise<void> {
  if (shard && ownRuns(linksOf(asked), shard).length === 0)
    throw new Error(`shard ${shardName(shard)} of design ${asked.design} has no link to play`);
  if (shard) keepShard(outDir, { shard, asked });
  const results = await play(linksOf(asked), outDir, shard);
  if (shard) console.log(`shard ${shardName(shard)} is played; npm run lab -- merge DIR... --out DIR`);
  else finishExperiment(outDir, asked, results);
}

/** Plays links, of which the finished ones are kept. */
const playing =
  ({ hours, jobs }: TcpWorld, { signal, print }: Life): Play =>
  async (runs, folder, shard) => {
    const links = { runs, shard, hours, jobs, keep: join(folder, LINKS_KEPT), signal, print };
    const results = await runTcpLinks(links);
    tellValidity(folder, ownRuns(runs, shard), results);
    return results;
  };
