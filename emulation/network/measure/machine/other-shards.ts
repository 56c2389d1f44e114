/** The experiment and the number of shards on a lab's command line. */
interface ShardCommand {
  readonly experiment: string;
  /** The number of shards. */
  readonly of: string;
}

/** Parses the arguments of a process; undefined if the process is not a shard of the lab. */
function parseShardCommand(words: readonly string[]): ShardCommand | undefined {
  const at = words.lastIndexOf('lab');
  const [action, experiment, ...options] = at < 0 ? [] : words.slice(at + 1);
  if (action !== 'run' || experiment === undefined) return undefined;
  const text = options
    .map((word, index) => (options[index - 1] === '--shard' ? word : /^--shard=(.*)$/.exec(word)?.[1]))
    .find((shard) => shard !== undefined);
  const of = /^\d+\/(\d+)$/.exec(text ?? '')?.[1];
  return of === undefined ? undefined : { experiment, of };
}

/**
 * Finds the processes that make other shards of the same experiment on this machine. The user chose to share the
 * processors between shards, as between parallel jobs, so they do not count as other programs. `commands` maps process
 * ids to the arguments of their commands.
 */
export function otherShards(lab: number, commands: ReadonlyMap<number, readonly string[]>): number[] {
  const own = parseShardCommand(commands.get(lab) ?? []);
  if (!own) return [];
  return [...commands].flatMap(([pid, words]) => {
    const other = parseShardCommand(words);
    return pid !== lab && other?.experiment === own.experiment && other.of === own.of ? pid : [];
  });
}
