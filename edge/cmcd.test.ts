import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHANGE_KEY } from '../src/wire/rtp.ts';
import { readCmcd, splitCmcdQuery } from './cmcd.ts';

const readUrl = (url: string) => readCmcd({ url, headers: new Headers() });
const read = (members: string) => readUrl(`http://edge/1.m4s?CMCD=${encodeURIComponent(members)}`);

it.each([
  ['', { values: [], rest: '' }],
  ['?CMCD=rtp%3D5000', { values: ['rtp%3D5000'], rest: '' }],
  // Order and encoding of the other parameters must not change, because a signature may cover them.
  ['?b=%7e+1&CMCD=x&a=%7E%201', { values: ['x'], rest: '?b=%7e+1&a=%7E%201' }],
  ['?CMCD&a', { values: [''], rest: '?a' }],
  ['?CMCD=a=b&CMCD=c', { values: ['a=b', 'c'], rest: '' }],
  ['?CMCDX=1&XCMCD=2&cmcd=3', { values: [], rest: '?CMCDX=1&XCMCD=2&cmcd=3' }],
])('splits %s', (search, expected) => expect(splitCmcdQuery(search)).toEqual(expected));

it('finds the same CMCD parameters as a URL parser', () => {
  const part = fc.constantFrom('CMCD', '%43MCD', 'C%4dCD', 'CMC%64', 'a', '=', '&', '1', '%', '+');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const search = `?${parts.join('')}`;
      const { values, rest } = splitCmcdQuery(search);
      expect(values.length).toBe(new URLSearchParams(search).getAll('CMCD').length);
      expect(new URLSearchParams(rest).has('CMCD')).toBe(false);
    }),
  );
});

describe('readCmcd', () => {
  it.each(['rtp=5000 ', 'rtp=5000\t', ' rtp=5000', '\trtp=5000', 'br=1,\t rtp=5000 \t ,nor="x"'])(
    'ignores spaces and tabs around a member: %j',
    (members) => expect(read(members).rtp).toEqual({ pace: 5000 }),
  );

  it.each([' ', '\t', ' ,\t,'])('finds nothing in spaces: %j', (members) => {
    expect(read(members).rtp).toBeNull();
  });

  it.each([
    ['br=3000', 3000],
    ['br=3000.25', 3000],
    ['br=(700 3000;v)', 3000],
    ['br=100000000', 100_000_000],
    ['br=100000001', null],
    ['br=100000001,br=700', 700],
    ['br=0', null],
    ['br=x', null],
  ])('reads the largest valid bitrate of %s', (members, bitrate) => {
    expect(read(members).bitrate).toBe(bitrate);
  });

  it.each([
    ['', 1],
    ['pr=2', 2],
    ['pr=1.25', 2],
    ['pr=1.25;a=3', 2],
    ['pr=10.05', 11],
    ['pr=0.5', 1],
    ['pr=100', 1],
    ['pr=x2', 1],
    ['pr=2x', 1],
  ])('rounds the playback rate of %j up', (members, rate) => {
    expect(read(members).playbackRate).toBe(rate);
  });

  it.each([
    ['sid="a b"', 'a b'],
    ['sid="a\\"b"', 'a"b'],
    ['sid="a,rtp=1"', 'a,rtp=1'],
    [`sid="${'a'.repeat(200)}"`, 'a'.repeat(200)],
    [`sid="${'a'.repeat(201)}"`, null],
    ['sid="a\u0001"', null],
    ['sid="\u0001a"', null],
    ['sid=""', null],
    ['sid=a', null],
  ])('reads the session of %s', (members, session) => {
    const { rtp, session: found } = read(members);
    expect(found).toBe(session);
    expect(rtp).toBeNull();
  });

  const secret = '0123456789abcdef'.repeat(2);
  it.each([
    [secret, secret],
    [secret.slice(1), null],
    [`${secret}0`, null],
    [`g${secret}`, null],
    [`${secret}g`, null],
    [secret.toUpperCase(), null],
  ])('reads a secret of 32 hexadecimal digits only: %s', (given, change) => {
    expect(read(`${CHANGE_KEY}="${given}"`).change).toBe(change);
  });

  it.each([
    ['http://edge/1.m4s?CMCD=rtp%3D5000#CMCD', { pace: 5000 }],
    ['?CMCD=rtp%3D5000', { pace: 5000 }],
    ['http://edge/1.m4s#?CMCD=rtp%3D5000', null],
    ['http://edge/CMCD=rtp%3D5000', null],
    ['CMCD=rtp%3D5000', null],
    ['http://edge/1.m4s??CMCD=rtp%3D5000', null],
  ])('reads only the query of %s', (url, rtp) => {
    expect(readUrl(url).rtp).toEqual(rtp);
  });

  it.each([
    [0, { pace: 5000 }],
    [1, { refused: 'cmcd-too-long' }],
  ])('reads 8192 characters and %d more as %j', (more, rtp) => {
    const value = 'rtp=5000,'.padEnd(8192 + more, 'a');
    expect(readUrl(`http://edge/1.m4s?CMCD=${value}`).rtp).toEqual(rtp);
    expect(readCmcd({ url: '/', headers: new Headers({ 'CMCD-Status': value }) }).rtp).toEqual(rtp);
  });
});
