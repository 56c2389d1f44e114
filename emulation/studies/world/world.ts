import { places } from '../../harness/runs/place.ts';
import { DEFAULT_SEED, type Study } from '../../harness/runs/study.ts';
import { WORLD_OPTIONS } from './world-options.ts';
import { ABOUT, linkCell, plannedLinks, worldSettings, type WorldSettings } from './world-settings.ts';

/**
 * An experiment on two congested links, in virtual time or over real TCP, and the true effect that it estimates. Each
 * link is a run.
 */
export const world: Study<typeof WORLD_OPTIONS, WorldSettings> = {
  ...ABOUT,
  options: WORLD_OPTIONS,
  places: places(['model', 'virtual', 'virtual'], ['light', 'p4', 'real']),
  record: 'link.json',
  plan(asked, before) {
    const settings = worldSettings(asked, before);
    const { seed = DEFAULT_SEED } = asked;
    const runs = Array.from({ length: settings.runs }, (_, index) => index + 1).flatMap((k) =>
      // Runs of the same link must be made on the same machine, because they are compared.
      plannedLinks(settings, seed, k).map((run) => ({ cell: linkCell(run), k, group: `${run.link}/${k}` })),
    );
    return { settings, runs, units: 'in the names of the fields', overhead_s: 0 };
  },
  make: async (settings, context) => (await import('./make-world.ts')).makeWorld(settings, context),
  loadReport: () => import('./results/report-world.ts'),
  report: async (outDir) => (await import('./results/report-world.ts')).reportWorld(outDir),
  outcome: async (outDir) => (await import('./results/report-world.ts')).worldLines(outDir),
};
