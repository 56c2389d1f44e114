import { describe, expect, it } from 'vitest';
import { kbps } from '../units.ts';
import { UnderWay } from './under-way.ts';

const requestOf = (mediaType: string) => ({ mediaType });
const here = (name: string) => `https://media.example:8443/film/${name}.m4s?a=/b`;

describe('UnderWay', () => {
  it('adds up what is under way at an origin, in the steps of rtp', () => {
    const underWay = new UnderWay();
    const [video, audio] = [requestOf('video'), requestOf('audio')];
    expect(underWay.begin(video, here('v1'), kbps(3201))).toBe(3300);
    expect(underWay.begin(audio, here('a1'), kbps(150))).toBe(3500);
    underWay.end(video);
    expect(underWay.begin(requestOf('video'), here('v2'), kbps(4000))).toBe(4200);
    underWay.end(audio);
    expect(underWay.begin(requestOf('video'), here('v3'), kbps(1000))).toBe(1000);
  });

  it('counts nothing of another origin', () => {
    const underWay = new UnderWay();
    underWay.begin(requestOf('audio'), 'https://audio.example/film/a1.m4s', kbps(200));
    expect(underWay.begin(requestOf('video'), here('v1'), kbps(3000))).toBe(3000);
    underWay.begin(requestOf('audio'), 'https://media.example/a2.m4s', null);
    expect(underWay.begin(requestOf('video'), here('v2'), kbps(3000))).toBe(3000);
  });

  it('is not known while something there is unpaced', () => {
    const underWay = new UnderWay();
    const audio = requestOf('audio');
    expect(underWay.begin(audio, here('init'), null)).toBeNull();
    expect(underWay.begin(requestOf('video'), here('v1'), kbps(3000))).toBeNull();
    underWay.end(audio);
    expect(underWay.begin(requestOf('audio'), here('a1'), kbps(200))).toBe(3200);
  });

  it('has forgotten a request whose end was never reported with the next of its type', () => {
    const underWay = new UnderWay();
    const [lost, retried] = [requestOf('video'), requestOf('video')];
    underWay.begin(lost, here('v1'), kbps(3000));
    expect(underWay.begin(retried, here('v2'), kbps(1000))).toBe(1000);
    // Its end comes late, or it is sent again.
    underWay.end(lost);
    expect(underWay.begin(requestOf('audio'), here('a1'), kbps(200))).toBe(1200);
    expect(underWay.begin(retried, here('v2'), kbps(2000))).toBe(2200);
  });
});
