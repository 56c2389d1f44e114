import { describe, expect, it } from 'vitest';
import { kbps } from '../units.ts';
import { PendingRequests } from './pending-requests.ts';

const here = (name: string) => `https://media.example:8443/film/${name}.m4s?a=/b`;
const createRequest = (mediaType: string, url = here('1')) => ({ mediaType, url });

describe('PendingRequests', () => {
  it('adds up the paces in flight at an origin, in steps of rtp', () => {
    const underWay = new PendingRequests();
    const [video, audio] = [createRequest('video'), createRequest('audio')];
    expect(underWay.add(video, kbps(3201))).toBe(3300);
    expect(underWay.add(audio, kbps(150))).toBe(3500);
    underWay.remove(video);
    expect(underWay.add(createRequest('video'), kbps(4000))).toBe(4200);
    underWay.remove(audio);
    expect(underWay.add(createRequest('video'), kbps(1000))).toBe(1000);
  });

  it('excludes other origins', () => {
    const underWay = new PendingRequests();
    underWay.add(createRequest('audio', 'https://audio.example/film/a1.m4s'), kbps(200));
    expect(underWay.add(createRequest('video'), kbps(3000))).toBe(3000);
    underWay.add(createRequest('audio', 'https://media.example/a2.m4s'), null);
    expect(underWay.add(createRequest('video'), kbps(3000))).toBe(3000);
  });

  it('returns null while a request to the origin is unpaced', () => {
    const underWay = new PendingRequests();
    const audio = createRequest('audio');
    expect(underWay.add(audio, null)).toBeNull();
    expect(underWay.add(createRequest('video'), kbps(3000))).toBeNull();
    underWay.remove(audio);
    expect(underWay.add(createRequest('audio'), kbps(200))).toBe(3200);
  });

  it('replaces a request whose end was never reported by the next request of its type', () => {
    const underWay = new PendingRequests();
    const [lost, retried] = [createRequest('video'), createRequest('video')];
    underWay.add(lost, kbps(3000));
    expect(underWay.add(retried, kbps(1000))).toBe(1000);
    // The end of the replaced request is reported late.
    underWay.remove(lost);
    expect(underWay.add(createRequest('audio'), kbps(200))).toBe(1200);
    expect(underWay.add(retried, kbps(2000))).toBe(2200);
  });
});
