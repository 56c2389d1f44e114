import { inProcess } from '../../harness/runs/in-process.ts';
import { prepareLiveSwitch } from '../../harness/runs/remove-stale.ts';
import { places } from '../../harness/runs/place.ts';
import { cellNamed, type Study } from '../../harness/runs/study.ts';
import { liveHourRun } from './live/live-run.ts';
import { BUFFER_VIDEO_OPTIONS } from './options.ts';
import { RESULT } from './run-files.ts';
import { hourRun, type HourSpec } from './run-spec.ts';
import { listCells, planBufferVideo, type BufferVideoSettings } from './settings.ts';
import { listStacks } from './sites.ts';

const ABOUT = {
  name: 'buffer-video',
  about: "the size of routers' buffers against what viewers see, at three congested sites",
  figure: 'Neighbor, Table 5.1 and Figures 5.3 to 5.8',
};
/** The time limit of a run of one hour at one site, per second of the hour; it allows for a busy machine. */
const PATIENCE_S = 60;

export const bufferVideo: Study<typeof BUFFER_VIDEO_OPTIONS, BufferVideoSettings> = {
  ...ABOUT,
  options: BUFFER_VIDEO_OPTIONS,
  places: places(['model', 'virtual', 'virtual'], ['page', 'virtual', 'virtual'], ['light', 'p4', 'real']),
  record: RESULT,
  plan: (asked, before) => planBufferVideo(ABOUT, asked, before),
  async make(settings, { seed, place }) {
    if (place.backend === 'light') await prepareLiveSwitch();
    const player: HourSpec['player'] = place.backend === 'page' ? 'page' : 'model';
    const { seconds, congestion_control, switches, quick } = settings;
    const cells = new Map(listCells(settings).map((cell) => [cell.name, cell]));
    return {
      run({ cell, k }, folder, signal) {
        const { site, arm } = cellNamed(cells, cell);
        const stacks = listStacks(site, quick);
        const spec = {
          ...{ site, arm, player, stacks, hour: k, seconds, seed, congestion_control, switches, folder },
        };
        return inProcess(place.backend === 'light' ? liveHourRun : hourRun, spec, {
          within_s: PATIENCE_S * (1 + seconds),
          signal,
        });
      },
    };
  },
  loadReport: () => import('./report/write-report.ts'),
  report: async (outDir) => (await import('./report/write-report.ts')).writeBufferVideoReport(outDir),
};
