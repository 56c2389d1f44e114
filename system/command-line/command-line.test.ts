import { describe, expect, it } from 'vitest';
import { defineCommandLine, defineCommands, firstPositional } from './command-line.ts';
import { list, numberUpTo, parseChoice, parseChoices, wholeNumber } from './parsers.ts';

const command = 'npm run lab -- run';
const commandLine = defineCommandLine({
  command,
  usage: 'STUDY [options]',
  about: 'Makes runs.',
  maxPositionals: 1,
  options: {
    runs: { valueName: 'N', about: 'of each arm', parse: wholeNumber(1) },
    rtt: { valueName: 'MS', about: 'of the link', parse: wholeNumber(0) },
    'drop-above': { valueName: 'N', about: 'packets' },
    out: { valueName: 'DIR', about: 'where the results go' },
    resume: { about: 'goes on' },
    with: { valueName: 'N', about: 'may be repeated', parse: wholeNumber(0), isRepeated: true },
    inside: { valueName: 'NAME', about: '', isInternal: true },
  },
});
const parseWords = (line: string) => line.split(' ').filter((word) => word !== '');
const parse = (line: string) => commandLine.parse(parseWords(line));

describe('a command line', () => {
  it('parses positionals and options, and keeps the command as typed', () => {
    expect(parse('')).toEqual({ positionals: [], values: {}, command });
    expect(parse('single --runs 4 --drop-above=9 --resume')).toEqual({
      positionals: ['single'],
      values: { runs: 4, 'drop-above': '9', resume: true },
      command: `${command} single --runs 4 --drop-above=9 --resume`,
    });
  });

  it('collects repeated options, and hides internal options', () => {
    expect(parse('--with 3 --with 4 --inside a').values).toEqual({ with: [3, 4], inside: 'a' });
    expect(commandLine.help).toContain('--with <N>');
    expect(commandLine.help).not.toContain('--inside');
  });

  it('can be parsed twice', () => {
    parse('single --runs 4 --resume --with 3');
    expect(parse('networks').values).toEqual({});
  });

  it.each([
    ['single --resum', "unknown option '--resum' (Did you mean --resume?)"],
    ['single --drop-abov 3', "unknown option '--drop-abov' (Did you mean --drop-above?)"],
    ['single --constants', "unknown option '--constants'"],
    ['single -q', "unknown option '-q'"],
    ['single networks', "unexpected argument 'networks'"],
    ['single --out=', '--out is empty'],
    ['single --runs 4 --runs 4', '--runs is given twice'],
    ['single --runs', "option '--runs <N>' argument missing"],
  ])('refuses %j', (line, message) => {
    expect(() => parse(line)).toThrow(new Error(`${message}; ${command} --help`));
  });

  it('passes a value that looks like an option to its parser', () => {
    expect(() => parse('single --rtt -1')).toThrow(
      new Error("--rtt is '-1', expected a whole number from 0 to 1000000"),
    );
  });

  it('has a help page with every option, within the line width', () => {
    expect(commandLine.help).toMatch(/^Usage: npm run lab -- run STUDY \[options\]\n\nMakes runs\.\n/);
    for (const [name, { about }] of Object.entries(commandLine.options))
      if (about !== '') expect(commandLine.help).toMatch(new RegExp(`^  --${name}\\b.*  ${about}$`, 'm'));
    const about = Array.from({ length: 40 }, () => 'some words').join(' ');
    const { help } = defineCommandLine({ command, about, options: { y: { valueName: 'N', about } } });
    expect(Math.max(...help.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(110);
  });
});

describe('the first positional', () => {
  it.each([
    ['single --runs many', 'single'],
    ['--runs many single', 'single'],
    ['--resume single', 'single'],
    ['--resume', undefined],
  ])('of %j is %j', (line, positional) => {
    expect(firstPositional(parseWords(line), commandLine.options, command)).toBe(positional);
  });

  it('is not searched after an unknown option', () => {
    expect(() => firstPositional(['--rums', '3', 'single'], commandLine.options, command)).toThrow(
      /^unknown option '--rums' \(Did you mean --runs\?\); npm run lab -- run --help$/,
    );
  });
});

describe('commands', () => {
  const commands = defineCommands('npm run lab --', 'COMMAND [options]', {
    run: { about: 'makes runs' },
    report: { about: 'what they say' },
  });

  it('are looked up by name', () => {
    expect(commands.named('run')).toBe('run');
  });

  it.each([
    ['runn', "unknown command 'runn' (Did you mean run?); npm run lab -- lists them"],
    ['constructor', "unknown command 'constructor'; npm run lab -- lists them"],
    ['help', "unknown command 'help'; npm run lab -- lists them"],
    ['--runs', "unknown option '--runs'; npm run lab -- lists them"],
  ])('do not have %j', (word, message) => {
    expect(() => commands.named(word)).toThrow(new Error(message));
  });

  it('are listed', () => {
    expect(commands.help).toMatch(/^Usage: npm run lab -- COMMAND \[options\]\n/);
    expect(commands.help).toMatch(/^ +run\b.* makes runs\n +report\b.* what they say$/m);
  });
});

describe('a parser', () => {
  it.each(['1.5', ' 4', 'NaN', '1e3', '0x10', '1000001', '0'])('of whole numbers refuses %j', (text) => {
    expect(() => wholeNumber(1)(text, 'runs')).toThrow(`--runs is '${text}', expected a whole number`);
  });

  it('returns the value', () => {
    expect(wholeNumber(1)('12', 'runs')).toBe(12);
    expect(numberUpTo(10, '%')('1.5', 'loss')).toBe(1.5);
    expect(list('a,b', 'arms')).toEqual(['a', 'b']);
    expect(parseChoice(['tcp', 'model'])('tcp', 'over')).toBe('tcp');
    expect(parseChoices({ tcp: 1, model: 2 })('model,tcp', 'over')).toEqual(['model', 'tcp']);
  });

  it('lists the valid names', () => {
    expect(() => parseChoice({ tcp: 1, model: 2 })('toString', 'over')).toThrow(
      new Error("--over is 'toString', expected one of tcp, model"),
    );
  });
});
