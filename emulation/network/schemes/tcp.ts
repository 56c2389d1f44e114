import type { Scheme } from './scheme.ts';

/** Longer than any run, s. */
const ENDLESS = '86400';

/** TCP of this machine's kernel; iperf3 sends the data. */
const kernelTcp = (congestionControl: string, about: string): Scheme => ({
  name: congestionControl,
  family: 'TCP',
  about,
  license: 'GPL-2.0-only (Linux), BSD-3-Clause (iperf3)',
  source: 'Linux; apt iperf3',
  needs: { apt: { iperf3: 'iperf3' }, congestionControl },
  firstToListen: 'receiver',
  receiver: ({ port, program }) => [program('iperf3'), '-s', '-p', String(port)],
  sender: ({ address, port, program, congestionControl: named }) => [
    ...[program('iperf3'), '-c', address, '-p', String(port), '-t', ENDLESS],
    ...['-C', named(congestionControl)],
  ],
});

/**
 * Congestion controls of this machine's kernel, and those that BPF loads; all of them also run in the virtual machine.
 */
export const tcp: readonly Scheme[] = [
  kernelTcp('reno', 'Reno: additive increase, half at a loss'),
  kernelTcp('cubic', 'CUBIC, the default of Linux'),
  kernelTcp('bbr', 'BBR version 1'),
  kernelTcp('vegas', 'Vegas: by the delay (by BPF where the kernel lacks it)'),
  kernelTcp('scalable', 'Scalable TCP (by BPF where the kernel lacks it)'),
];

/** Congestion controls that usually exist only in the virtual machine's kernel. */
export const moreTcp: readonly Scheme[] = [
  kernelTcp('bic', 'BIC'),
  kernelTcp('cdg', 'CAIA Delay-Gradient'),
  kernelTcp('highspeed', 'HighSpeed TCP'),
  kernelTcp('htcp', 'H-TCP'),
  kernelTcp('hybla', 'Hybla: for satellites'),
  kernelTcp('illinois', 'Illinois: by loss and delay'),
  kernelTcp('lp', 'Low Priority'),
  kernelTcp('nv', 'New Vegas'),
  kernelTcp('veno', 'Veno'),
  kernelTcp('westwood', 'Westwood+: by the rate of ACKs'),
  kernelTcp('yeah', 'YeAH: by loss and delay'),
];
