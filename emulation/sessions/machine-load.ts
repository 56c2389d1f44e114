import { cpus } from 'node:os';

const totals = () =>
  cpus().reduce(
    ({ busy, all }, { times }) => {
      const sum = times.user + times.nice + times.sys + times.idle + times.irq;
      return { busy: busy + sum - times.idle, all: all + sum };
    },
    { busy: 0, all: 0 },
  );

/** From now on: the share of all cores' time that was not idle, %. */
export function machineLoad(): () => number {
  const before = totals();
  return () => {
    const now = totals();
    return now.all > before.all ? ((now.busy - before.busy) / (now.all - before.all)) * 100 : 0;
  };
}
