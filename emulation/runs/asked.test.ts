import { expect, it } from 'vitest';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { askedOf, EXPERIMENT_OPTIONS, FLOW_OPTIONS, REAL_SESSION_OPTIONS } from './asked.ts';

const commandLine = defineCommandLine({
  command: 'run',
  about: '',
  options: { ...EXPERIMENT_OPTIONS, ...REAL_SESSION_OPTIONS, ...FLOW_OPTIONS },
});
const asked = (line: string) => askedOf(commandLine.parse(line.split(' ')).values);

it('has the options of the link, in their units', () => {
  expect(asked('--loss 1.5 --jitter 0.5 --mark-above 30 --weights 3,1 --rate poisson:40')).toMatchObject({
    loss_pct: 1.5,
    jitter_ms: 0.5,
    mark_above_packets: 30,
    weights: [3, 1],
    rate: 'poisson:40',
  });
});

it.each([
  ['--rtt -1', "--rtt is '-1', expected a whole number from 0 to 1000000"],
  ['--runs -1', "--runs is '-1', expected a whole number from 1"],
  ['--queue 0', "--queue is '0', expected a whole number from 1504"],
  ['--jitter -0.5', "--jitter is '-0.5', expected ms from 0 to 10000"],
  ['--jitter much', "--jitter is 'much'"],
  ['--loss 11', "--loss is '11', expected % from 0 to 10"],
  ['--loss 1%', "--loss is '1%'"],
  ['--drop-above 0', "--drop-above is '0', expected a whole number from 1"],
  ['--weights 3,0', "--weights is '3,0', expected whole numbers from 1 to 999 such as 3,1"],
  ['--weights 3;1', "--weights is '3;1'"],
  ['--figures 3;5', "--figures is '3;5', expected numbers such as 3,5"],
])('refuses %j', (line, message) => {
  expect(() => asked(line)).toThrow(message);
});
