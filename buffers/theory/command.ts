import { readAlgorithm } from './algorithm.ts';
import { bufferRules, type Bottleneck, type BufferRule } from './buffer-rules.ts';
import { defineCommandLine, type ValuesOf } from '../../system/command-line/command-line.ts';
import { percent, significant } from './significant.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- buffer-rules',
  usage: '--rate MBIT --rtt MS --flows N --cc NAME [options]',
  about:
    'How large a buffer should be, by every rule of "Updating the Theory of Buffer Sizing", and which of their assumptions hold.',
  options: {
    rate: { valueName: 'MBIT', about: 'of the link, in Mbit/s' },
    rtt: { valueName: 'MS', about: 'of all flows' },
    flows: { valueName: 'N', about: 'that share it' },
    cc: {
      valueName: 'NAME',
      about: 'reno, cubic, scalable, bbr, or what a loss leaves of the window, such as 0.8',
    },
    fairness: {
      valueName: 'D',
      about: 'Δ: every window is within this factor of an equal share (2; measured: 4, of bbr 10)',
    },
    'loss-flows': {
      valueName: 'S',
      about: "s: so many flows see a loss at a time, beyond those that the others' growth makes up for (√N)",
    },
    idle: { valueName: 'P', about: 'δ of Theorem 8: how likely the link may be idle (0.01)' },
    packet: { valueName: 'BYTES', about: '(1500)' },
  },
});
export const { help } = commandLine;

const DEFAULTS = { fairness: '2', idle: '0.01', packet: '1500' };
type Values = ValuesOf<typeof commandLine.options>;
type Numeric = Exclude<keyof Values, 'cc'>;

/** A link as it was asked for. */
interface RuleInputs {
  readonly bottleneck: Bottleneck;
  readonly rate_mbps: number;
  readonly rtt_ms: number;
  readonly packet_bytes: number;
}

export function main(args: readonly string[]): void {
  console.log(describeBufferRules(args));
}

/** The rules as a table, for what the arguments say; throws an Error that names the argument that is wrong. */
export function describeBufferRules(args: readonly string[]): string {
  const asked = readInputs({ ...DEFAULTS, ...commandLine.parse(args).values });
  const rows = bufferRules(asked.bottleneck);
  return [heading(asked), ...table(rows, asked), FOOT].join('\n');
}

function readInputs(values: Values): RuleInputs {
  const rate_mbps = number(values, 'rate', { above: 0, most: 1e7, unit: 'Mbit/s' });
  const rtt_ms = number(values, 'rtt', { above: 0, most: 1e6, unit: 'ms' });
  const packet_bytes = number(values, 'packet', { above: 0, most: 65_535, unit: 'bytes' });
  const flows = number(values, 'flows', { least: 1, most: 1e9, whole: true });
  if (values.cc === undefined) throw new Error('--cc is missing: reno, cubic, scalable, bbr, or such as 0.8');
  return {
    rate_mbps,
    rtt_ms,
    packet_bytes,
    bottleneck: {
      algorithm: readAlgorithm(values.cc),
      bdp_packets: (rate_mbps * rtt_ms * 1000) / 8 / packet_bytes,
      flows,
      fairness: number(values, 'fairness', { least: 1, most: 1e6 }),
      lossFlows:
        values['loss-flows'] === undefined
          ? Math.sqrt(flows)
          : number(values, 'loss-flows', { least: 0, most: flows }),
      idle: number(values, 'idle', { above: 0, below: 1 }),
    },
  };
}

interface Range {
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
  readonly below?: number;
  readonly whole?: boolean;
  readonly unit?: string;
}

function number(values: Values, name: Numeric, range: Range): number {
  const { least = -Infinity, above = -Infinity, most = Infinity, below = Infinity, whole = false } = range;
  const text = values[name];
  const value = text === undefined || text.trim() === '' ? NaN : Number(text);
  if (
    value >= least &&
    value > above &&
    value <= most &&
    value < below &&
    (!whole || Number.isInteger(value))
  )
    return value;
  const bounds = [
    ...(range.least === undefined ? [] : [`from ${least}`]),
    ...(range.above === undefined ? [] : [`above ${above}`]),
    ...(range.most === undefined ? [] : [`up to ${most}`]),
    ...(range.below === undefined ? [] : [`below ${below}`]),
  ];
  const kind = [
    whole ? 'a whole number' : 'a number',
    ...(range.unit === undefined ? [] : [`of ${range.unit}`]),
  ];
  const is = text === undefined ? 'missing' : `'${text}'`;
  throw new Error(`--${name} is ${is}, expected ${[...kind, ...bounds].join(' ')}`);
}

function heading({ rate_mbps, rtt_ms, packet_bytes, bottleneck }: RuleInputs): string {
  const { algorithm, bdp_packets, flows, fairness, lossFlows } = bottleneck;
  return (
    `${rate_mbps} Mbit/s, ${rtt_ms} ms, ${flows} ${flows === 1 ? 'flow' : 'flows'} of ${algorithm.name}, ` +
    `Δ = ${fairness}, s = ${significant(lossFlows)}\n` +
    `BDP: ${bdp_packets.toFixed(1)} packets of ${packet_bytes} bytes, ${Math.ceil(bdp_packets * packet_bytes)} bytes\n`
  );
}

const FOOT = `
yes: it holds; no: it does not; ?: the arguments do not tell. For all rules packets wait in one drop-tail queue, and are
dropped when, and only when, it is full (§3.3). What is an order in Table 1 stands here with a constant of 1.`;

function table(rules: readonly BufferRule[], { rate_mbps, packet_bytes }: RuleInputs): string[] {
  const cells = rules.map(({ source, formula, buffer_packets: packets, utilization, remark }) => {
    const bytes = packets === null ? null : packets * packet_bytes;
    return [
      source,
      formula,
      packets?.toFixed(1) ?? '',
      bytes === null ? '' : String(Math.ceil(bytes - ROUNDING)),
      bytes === null ? '' : ((bytes * 8) / 1000 / rate_mbps).toFixed(3),
      utilization === null ? '' : percent(utilization),
      remark ?? '',
    ];
  });
  const head = ['rule', 'buffer', 'packets', 'bytes', 'ms', 'utilization', ''];
  const widths = head.map((_, at) => Math.max(...[head, ...cells].map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) =>
        NUMBERS.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [
    line(head),
    ...rules.flatMap(({ assumptions }, at) => [
      line(cells[at] ?? []),
      ...assumptions.map(
        ({ says, holds, because }) =>
          `    ${holds === null ? '?  ' : holds ? 'yes' : 'no '} ${says}${because === undefined ? '' : ` (${because})`}`,
      ),
    ]),
  ];
}

/** A byte's 10^-6 is rounding, not another byte. */
const ROUNDING = 1e-6;
/** Columns of numbers. */
const NUMBERS = [2, 3, 4, 5];
