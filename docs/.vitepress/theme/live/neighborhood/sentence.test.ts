import { describe, expect, it } from 'vitest';
import { neighborWords, sentence, viewerWords } from './sentence.ts';

const control = {
  play_delay_ms: 200,
  rebuffer_ratio: 0.01,
  mean_ssim_db: 20,
  http_response_ms: 1000,
  udp_owd_ms: 10,
};

describe('the sentence of the landing page', () => {
  it('states how much better off the neighbor is', () => {
    expect(sentence(control, { ...control, http_response_ms: 430 }, 'http')).toBe(
      'viewer: the same; neighbor: −57%',
    );
  });

  it("states the viewer's cost if it exceeds the lab's margins", () => {
    const worse = { ...control, rebuffer_ratio: 0.0351, mean_ssim_db: 19.4, play_delay_ms: 1450 };
    expect(viewerWords(control, worse)).toBe('stalls +2.5 points, picture −0.6 dB, start +1.3 s');
    const within = { ...control, rebuffer_ratio: 0.014, mean_ssim_db: 19.91, play_delay_ms: 290 };
    expect(viewerWords(control, within)).toBe('the same');
  });

  it('states whether the viewer or the neighbor is better or worse off', () => {
    expect(viewerWords(control, { ...control, mean_ssim_db: 20.3 })).toBe('picture +0.3 dB');
    expect(neighborWords(control, { ...control, udp_owd_ms: 12 }, 'udp')).toBe('+20%');
    expect(neighborWords(control, { ...control, udp_owd_ms: 10.04 }, 'udp')).toBe('the same');
  });

  it('states that nothing was measured', () => {
    const nothing = { ...control, play_delay_ms: null, http_response_ms: null };
    expect(viewerWords(control, nothing)).toBe('never starts');
    expect(viewerWords(nothing, nothing)).toBe('never starts, as without');
    expect(neighborWords(control, nothing, 'http')).toBe('nothing arrived');
    expect(neighborWords(nothing, control, 'http')).toBe('nothing arrived without');
  });
});
