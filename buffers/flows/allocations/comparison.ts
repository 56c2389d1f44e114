/** The behavior of an application. Ten of them share the link, and some have the treatment. */
export interface Way {
  /** The name in legends and tables. */
  readonly label: string;
  readonly congestion_control: string;
  readonly connections: number;
  readonly paced: boolean;
}

/** A treatment and its control, as in one figure of Unbiased Experiments in Congested Networks (§3). */
export interface Comparison {
  readonly name: string;
  /** The number of the figure in the paper. */
  readonly figure: string;
  readonly title: string;
  readonly control: Way;
  readonly treatment: Way;
  /** The paper's results for the same estimands (§3.1 to 3.3). Where the paper gives no number, a quotation. */
  readonly paper: PaperFindings;
}

/** Effects in percent, as in `Effects`, or words where the paper gives no number. */
export interface PaperFindings {
  readonly tau: { readonly throughput: string; readonly retransmissions: string };
  readonly tte: { readonly throughput: string; readonly retransmissions: string };
  readonly spillover: { readonly throughput: string; readonly retransmissions: string };
}

/** The number of applications that share the link. */
export const UNITS = 10;

const RENO: Way = { label: 'one connection', congestion_control: 'reno', connections: 1, paced: false };
const NOT_SAID = 'not said';

/**
 * All comparisons. To add one, add it to this list. The paper states that the first test uses Reno. It does not state
 * the congestion control for pacing; this comparison uses Reno there too.
 */
export const comparisons: readonly [Comparison, ...Comparison[]] = [
  {
    name: 'connections',
    figure: '2a',
    title: 'Two TCP connections instead of one',
    control: RENO,
    treatment: { ...RENO, label: 'two connections', connections: 2 },
    paper: {
      tau: { throughput: '+100% at every allocation', retransmissions: 'none' },
      tte: { throughput: '0%', retransmissions: '+200%' },
      spillover: { throughput: '−25%', retransmissions: 'almost +175%' },
    },
  },
  {
    name: 'pacing',
    figure: '2b',
    title: 'Paced TCP instead of unpaced',
    control: { ...RENO, label: 'unpaced' },
    treatment: { ...RENO, label: 'paced', paced: true },
    paper: {
      tau: { throughput: '−50% at every allocation', retransmissions: 'essentially none' },
      tte: { throughput: '0%', retransmissions: 'a large decrease' },
      spillover: { throughput: 'an increase', retransmissions: 'a decrease' },
    },
  },
  {
    name: 'congestion-control',
    figure: '3',
    title: 'BBR instead of Cubic',
    control: { ...RENO, label: 'cubic', congestion_control: 'cubic' },
    treatment: { ...RENO, label: 'bbr', congestion_control: 'bbr' },
    paper: {
      // The numbers are from the paper's abstract.
      tau: { throughput: 'the minority wins: +150% for few, −75% for most', retransmissions: NOT_SAID },
      tte: { throughput: '0%', retransmissions: NOT_SAID },
      spillover: { throughput: NOT_SAID, retransmissions: NOT_SAID },
    },
  },
];
