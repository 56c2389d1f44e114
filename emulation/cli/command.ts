import { defineCommands } from '../../system/command-line/command-line.ts';

/** The module of one `lab` action, with its own options and help. */
interface Action {
  readonly help: string;
  /** Returns the help for these arguments, if it differs from `help`. */
  helpFor?(args: readonly string[]): string | undefined;
  main(args: string[]): Promise<void> | void;
}

interface Listed {
  /** One line for the list of actions. */
  readonly about: string;
  /** Loads the action on demand, so that each one needs only its own dependencies. */
  load(): Promise<Action>;
}

/** `lab NAME` as an alias of `lab run NAME`, for studies that users know by name. */
const studyAction = (name: string, about: string): Listed => ({
  about,
  async load() {
    const { helpFor, main: run } = await import('./actions/run.ts');
    return { help: helpFor([name]) ?? '', main: (args) => run([name, ...args]) };
  },
});

/** The actions by name, in the order in which they are listed. To add one, add a file and a line here. */
export const actions: Readonly<Record<string, Listed>> = {
  list: { about: 'lists the studies, arms and neighbors', load: () => import('./actions/list.ts') },
  doctor: {
    about: 'lists what is missing on this machine for real links',
    load: () => import('./actions/doctor.ts'),
  },
  run: {
    about: 'runs a study: on real links with a real browser (root, Linux), or in virtual time',
    load: () => import('./actions/run.ts'),
  },
  report: {
    about: 'writes the report of finished runs again, compares or exports them',
    load: () => import('./actions/report.ts'),
  },
  search: studyAction('search', 'searches for better constants'),
  'learn-rule': {
    about: 'trains a bitrate policy by reinforcement',
    load: () => import('../studies/learn-rule/command.ts'),
  },
  confirm: {
    about: 'tests a registered claim on unused traces',
    load: () => import('../studies/confirm/command.ts'),
  },
  world: studyAction('world', 'simulates many sessions on two congested links, with the truth'),
  trial: studyAction('trial', 'simulates a randomized trial of algorithms, one of which learns every day'),
  machine: {
    about: 'runs a command in a virtual machine with a virtual clock',
    load: () => import('../host/machine/command.ts'),
  },
  merge: { about: 'combines shards', load: () => import('./actions/merge.ts') },
};

const commands = defineCommands('npm run lab --', 'ACTION [options]', actions);

/** The output of `npm run lab` without arguments. */
export const help = `
${commands.help}

A first report, in seconds: npm run lab -- run single --link virtual --arms dashjs,sammy-paper --runs 3
Options of an action: npm run lab -- ACTION --help. Guide: docs/lab/index.md
`;

export async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === 'help') {
    console.log(help.trim());
    return;
  }
  await (await actions[commands.named(name)]?.load())?.main(args);
}
