import { expect, it } from 'vitest';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { BUFFER_PAPER_OPTIONS } from '../../../buffers/flows/paper/options.ts';
import { SESSION_OPTIONS } from './session-options.ts';

const { figures } = BUFFER_PAPER_OPTIONS;
const commandLine = defineCommandLine({
  command: 'run',
  about: '',
  options: { ...SESSION_OPTIONS, figures },
});
const asked = (line: string) => commandLine.parse(line.split(' ')).values;

it('requires numbers in numeric fields', () => {
  expect(asked('--loss 1.5 --jitter 0.5 --mark-above 30 --weights 3,1 --rate poisson:40')).toEqual({
    loss: 1.5,
    jitter: 0.5,
    'mark-above': 30,
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
  ['--edge apache', "--edge is 'apache', expected one of node, node-http2, node-yield, nginx"],
  ['--figures 3;5', "--figures is '3;5', expected numbers such as 3,5"],
])('refuses %j', (line, message) => {
  expect(() => asked(line)).toThrow(message);
});
