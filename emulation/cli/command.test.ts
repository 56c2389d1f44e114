import { describe, expect, it } from 'vitest';
import { formatHelp } from '../../tools/commands.ts';
import { actions, main } from './command.ts';

/** Each of these command lines is invalid, so the command line is parsed, but no action starts. */
describe('npm run lab --', () => {
  it.each([
    ['runn single', /^unknown command 'runn' \(Did you mean run\?\); npm run lab -- lists them$/],
    ['constructor', /^unknown command 'constructor'/],
    ['run', /^run needs a study/],
    ['run --resume', /^run needs a study/],
    ['run singel', /^no study 'singel' \(Did you mean single\?\); there are single, /],
    ['run xyzzyx', /^no study 'xyzzyx'; there are single, /],
    ['run constructor', /^no study 'constructor'; there are single, /],
    [
      'run single --backend model --link p4',
      /^single does not run with --backend model --link p4; it runs with --backend chromium /,
    ],
    [
      'run buffer-paper --backend chromium',
      /^buffer-paper does not run with --backend chromium; it runs with --backend light --link p4 --clock real, or /,
    ],
    ['run single --kernel 6.12', /^--kernel needs a virtual machine: --link p4 --clock virtual$/],
    [
      'run single --backend chromium --link virtual',
      /^single does not run with --backend chromium --link virtual; /,
    ],
    ['run single --quick', /^unknown option '--quick'; npm run lab -- run --help$/],
    ['run single --runz 3', /^unknown option '--runz' \(Did you mean --runs\?\); npm run lab -- run --help$/],
    ['run single --log', /^unknown option '--log'/],
    ['run single --drop-at tail', /^unknown option '--drop-at'/],
    ['run single --over tcp', /^unknown option '--over'/],
    ['run buffer-paper --arms dashjs', /^unknown option '--arms'/],
    ['run --quick ab-lab --arms dashjs', /^unknown option '--arms'/],
    ['run paper --only nothing', /^no measurement 'nothing'; there are /],
    ['run paper --log', /^unknown option '--log'/],
    ['report DIR --quick', /^unknown option '--quick'; npm run lab -- report --help$/],
    ['merge a b --runs 3', /^unknown option '--runs'/],
    ['merge a b', /^merge needs a target folder: --out DIR$/],
    ['report emulation buffers', /^report: one folder, or --beside buffers$/],
    ['world --quick', /^unknown option '--quick'; npm run lab -- run --help$/],
    ['run world --quick', /^unknown option '--quick'; npm run lab -- run --help$/],
    ['run trial --backend page', /^trial does not run with --backend page; it runs with --backend model /],
    ['trial --design ab', /^unknown option '--design'/],
    ['search --arms sammy-paper', /^unknown option '--arms'/],
    [
      'learn-rule --networks models/networks.json',
      /^learn-rule: --networks needs --part NAME, --traces DIR and --out FILE$/,
    ],
    [
      'learn-rule --networks models/networks.json --part all --traces emulation --out x',
      /^models\/networks.json: it has no part 'all'; there are learn, judge$/,
    ],
    ['report', /^report: a folder is missing$/],
    ['report nowhere --validate', /^report: there is no nowhere$/],
    ['machine --kernel 4.9', /^--kernel is '4.9', expected one of 6.12$/],
    ['machine --memory 1', /^--memory is '1', expected a whole number from 256 to 1000000$/],
  ])('refuses %s', async (line, message) => {
    await expect(main(line.split(' '))).rejects.toThrow(message);
  });

  it.each([
    ['run traces --help', '--offsets', '--figures'],
    ['run --help buffer-paper', '--figures', '--offsets'],
    ['run paper --help', '--only', '--arms'],
  ])('%s offers the options of that study only', async (line, has, hasNot) => {
    const page = await formatHelp('lab', line.split(' '));
    expect(page).toContain(`  ${has} `);
    expect(page).not.toContain(`  ${hasNot} `);
  });

  it('run --help lists each shared option once, and the own options of each study', async () => {
    const page = await formatHelp('lab', ['run', '--help']);
    for (const shared of ['--seed', '--backend', '--shard', '--edge'])
      expect(page.split(`  ${shared} <`), shared).toHaveLength(2);
    expect(page).toContain('  --figures <');
    expect(page).toContain('  --offsets <');
  });

  it.each(Object.keys(actions))('%s has its own help page', async (name) => {
    const page = (await actions[name]?.load())?.help ?? '';
    expect(page).toMatch(new RegExp(`^Usage: npm run lab -- (run )?${name}\\b`));
  });
});
