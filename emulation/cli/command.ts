import { defineCommands } from '../../system/command-line/command-line.ts';

/** What one word of the lab does: a command like any other, whose options and help are its own. */
interface Action {
  readonly help: string;
  /** The help for these arguments, where it is not the same for all. */
  helpFor?(args: readonly string[]): string | undefined;
  main(args: string[]): Promise<void> | void;
}

interface Listed {
  /** What it does, in one line. */
  readonly about: string;
  /** Loaded on demand, so that each action needs only its own dependencies. */
  load(): Promise<Action>;
}

/** `lab NAME` for `lab run NAME`, of studies that are known by their own names. */
const studyAction = (name: string, about: string): Listed => ({
  about,
  async load() {
    const { helpFor, main: run } = await import('./actions/run.ts');
    return { help: helpFor([name]) ?? '', main: (args) => run([name, ...args]) };
  },
});

/** The actions by name, in the order in which they are listed; to add one, add a file and a line here. */
export const actions: Readonly<Record<string, Listed>> = {
  list: { about: 'what there is to run', load: () => import('./actions/list.ts') },
  doctor: { about: 'what this machine lacks for real links', load: () => import('./actions/doctor.ts') },
  run: {
    about: 'an experiment: real links, a real browser (root, Linux)',
    load: () => import('./actions/run.ts'),
  },
  simulate: {
    about: "the old spelling of 'run STUDY --link virtual'",
    load: () => import('./actions/simulate.ts'),
  },
  report: { about: 'what finished runs say', load: () => import('./actions/report.ts') },
  compare: { about: 'two folders of finished runs', load: () => import('./actions/compare.ts') },
  validate: { about: 'how true virtual time is', load: () => import('../studies/validate/command.ts') },
  search: studyAction('search', 'better constants, by Optuna'),
  'learn-rule': {
    about: 'a rule learnt by reinforcement',
    load: () => import('../studies/learn-rule/command.ts'),
  },
  confirm: {
    about: 'what a registered protocol says, on unused traces',
    load: () => import('../studies/confirm/command.ts'),
  },
  world: studyAction('world', 'many sessions on two congested links'),
  trial: studyAction('trial', 'algorithms by lot, and one that learns every day'),
  networks: { about: 'traces to learn from, or to judge by', load: () => import('./actions/networks.ts') },
  'buffer-rules': {
    about: 'how large a buffer should be',
    load: () => import('../../buffers/theory/command.ts'),
  },
  machine: {
    about: 'a machine whose clock is virtual, to run anything in',
    load: () => import('../host/machine/command.ts'),
  },
  merge: { about: 'shards, put together', load: () => import('./actions/merge.ts') },
  export: { about: "sessions as Puffer's open data", load: () => import('../studies/export/command.ts') },
};

const commands = defineCommands('npm run lab --', 'ACTION [options]', actions);

/** What `npm run lab` alone prints. */
export const help = `
${commands.help}

A first report, in seconds: npm run lab -- run single --link virtual --arms dashjs,sammy --runs 3
Options of one: npm run lab -- ACTION --help. What to begin with: docs/lab/index.md
`;

export async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === 'help') {
    console.log(help.trim());
    return;
  }
  await (await actions[commands.named(name)]?.load())?.main(args);
}
