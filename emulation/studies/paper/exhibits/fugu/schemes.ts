import { LESS, MORE, SHOWN } from '../../claims/exhibit.ts';
import type { PlannedRow } from '../../claims/planned.ts';
import { sourcesOf } from '../../claims/source.ts';
import { SCHEMES } from '../../measurements/schemes.ts';

export const { level, difference } = sourcesOf('schemes');

type Scheme = keyof typeof SCHEMES;
type Numbers = Readonly<Record<Scheme, number>>;

export const NAMES: Readonly<Record<Scheme, string>> = {
  fugu: 'Fugu',
  mpcHm: 'MPC-HM',
  bba: 'BBA',
  pensieve: 'Pensieve',
  robustMpcHm: 'RobustMPC-HM',
};
const ALL = Object.keys(NAMES) as Scheme[];
const OTHERS = ALL.filter((scheme) => scheme !== 'fugu');

/** A level of each scheme, which is only shown: the networks are others. */
export const levels = (what: string, unit: string, metric: string, paper: Numbers): PlannedRow[] =>
  ALL.map((scheme) => ({
    ...{ what: `${NAMES[scheme]}: ${what}`, unit, level: true, paper: paper[scheme] },
    ...SHOWN,
    from: level(metric, SCHEMES[scheme]),
  }));

/** Fugu less each other scheme, of which the paper has the numbers or only the sign; on some networks only where `among` says so. */
export const fuguLess = (
  { what, unit, metric }: { readonly what: string; readonly unit: string; readonly metric: string },
  paper: Numbers | string,
  among = '',
): PlannedRow[] =>
  OTHERS.map((scheme) => {
    const both = typeof paper === 'string' ? null : paper.fugu - paper[scheme];
    const isMore = both === null ? paper !== 'less' : both > 0;
    return {
      ...{ what: `Fugu less ${NAMES[scheme]}: ${what}`, unit },
      paper: both === null ? (paper as string) : Math.round(100 * both) / 100,
      ...(isMore ? MORE : LESS),
      from: difference(metric, `${SCHEMES.fugu}${among}`, `${SCHEMES[scheme]}${among}`),
    };
  });

/** The table that the trial's results are in (Table 2.1). */
export const STALLED_PCT: Numbers = { fugu: 0.13, mpcHm: 0.22, bba: 0.19, pensieve: 0.17, robustMpcHm: 0.12 };
export const SSIM_DB: Numbers = {
  fugu: 16.64,
  mpcHm: 16.61,
  bba: 16.56,
  pensieve: 16.26,
  robustMpcHm: 16.01,
};
export const VARIATION_DB: Numbers = {
  fugu: 0.74,
  mpcHm: 0.79,
  bba: 1.11,
  pensieve: 1.05,
  robustMpcHm: 0.98,
};

export const STALLED = { what: 'time stalled', unit: 'points', metric: 'stalled_pct' } as const;
export const SSIM = { what: 'SSIM', unit: 'dB', metric: 'mean_ssim_db' } as const;
export const VARIATION = { what: 'variation of SSIM', unit: 'dB', metric: 'ssim_variation_db' } as const;

export const ON_DRAWN_NETWORKS =
  'Drawn networks in virtual time instead of Puffer’s viewers, and one video instead of television: levels are not compared; differences on the same networks are, by their sign';
