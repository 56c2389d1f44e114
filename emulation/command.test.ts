import { describe, expect, it } from 'vitest';
import { actions, main } from './command.ts';

/** Reads the words, and goes no further: of each of these something is wrong. */
describe('npm run lab --', () => {
  it.each([
    ['runn single', /^unknown action 'runn'; known: list, doctor, run, .*export; npm run lab says/],
    ['constructor', /^unknown action 'constructor'/],
    ['run', /^run: which experiment\?/],
    ['run single --quick', /^run has no --quick; it has --arms, --conditions, /],
    ['run single --log', /^run has no --log/],
    ['run single --drop-at tail', /^run has no --drop-at/],
    ['run single --over tcp', /^run has no --over/],
    ['run buffer-paper --arms dashjs', /^run buffer-paper has no --arms; it has --runs, /],
    ['run --quick ab-lab --arms dashjs', /^run ab-lab has no --arms; it has --conditions, /],
    ['run paper --runs 2', /^run paper has no --runs; it has --out, --resume, --seed, --quick$/],
    ['run paper --log', /^run paper has no --log/],
    ['report DIR --resume', /^report has no --resume; it has --log$/],
    ['merge a b --runs 3', /^merge has no --runs/],
    ['merge a b', /^merge: into which folder\? --out DIR$/],
    ['compare a', /^compare: which two folders\?$/],
    ['world --quick', /^world has no --quick; it has --design, /],
    ['trial --design ab', /^trial has no --design; it has --arms, /],
    ['search --arms sammy', /^search has no --arms; it has --traces, /],
    ['networks models/networks.json', /^networks: expected FILE --part NAME /],
    [
      'networks models/networks.json --part all --traces emulation --out x',
      /^models\/networks.json: it has no part 'all'; there are learn, judge$/,
    ],
    ['export', /^export: which folder\?$/],
    ['validate', /^validate: which folders/],
    ['buffer-rules --rate 1', /^--rtt is missing/],
  ])('%s is refused', async (line, message) => {
    await expect(main(line.split(' '))).rejects.toThrow(message);
  });

  it.each(Object.keys(actions))('%s has a page of its own', async (name) => {
    const page = (await actions[name]?.load())?.help ?? '';
    expect(page).toMatch(new RegExp(`^npm run lab -- ${name}\\b`));
  });
});
