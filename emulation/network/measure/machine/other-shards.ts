/** The experiment and the number of shards that a lab's process was started with. */
interface ShardAsked {
  readonly experiment: string;
  /** How many shards there are. */
  readonly of: string;
}

/** Reads the words of a process's command line; undefined if it is not a shard of the lab. */
function shardAsked(words: readonly string[]): ShardAsked | undefined {
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
 * The processes that make other shards of the same experiment on this machine. As lanes do, they share its processors by
 * the user's choice, so they do not count as other programs. `commands` are the words of every process, by its id.
 */
export function otherShards(lab: number, commands: ReadonlyMap<number, readonly string[]>): number[] {
  const own = shardAsked(commands.get(lab) ?? []);
  if (!own) return [];
  return [...commands].flatMap(([pid, words]) => {
    const other = shardAsked(words);
    return pid !== lab && other?.experiment === own.experiment && other.of === own.of ? pid : [];
  });
}
