import { describe, expect, it } from 'vitest';
import {
  formatDate,
  formatDifference,
  formatHundredths,
  formatPct,
  formatPctInterval,
  formatTick,
  formatValue,
} from './format.ts';
import { html } from './html.ts';

describe('numbers', () => {
  it('formats a difference in hundredths with a sign, unless it is 0', () => {
    expect([0.0109, -0.0465, 2.228, -0.000334].map(formatHundredths)).toEqual([
      '+0.01',
      '−0.05',
      '+2.23',
      '0',
    ]);
  });

  it.each([
    [36123.4, '36,120'],
    [5.3551, '5.355'],
    [0.0012345, '0.00123'],
    [-12.5, '−12.5'],
    [0, '0'],
    [-3.15e-16, '0'],
  ])('formats %d as %s', (value, text) => {
    expect(formatValue(value)).toBe(text);
  });

  it('shows a rounding error as no difference', () => {
    expect(formatDifference(3.15e-16)).toBe('0');
    expect(formatTick(3.15e-16)).toBe('0');
  });

  it.each([
    [-86.66, '−86.7%'],
    [0.04, '+0.04%'],
    [-0.001, '0%'],
    [28, '+28.0%'],
    [2345.6, '+2,346%'],
  ])('formats a change of %d as %s', (value, text) => {
    expect(formatPct(value)).toBe(text);
  });

  it('formats differences with a sign', () => {
    expect(formatPctInterval([-61.8, 60.2])).toBe('−61.8 to +60.2');
    expect(formatDifference(-8.5)).toBe('−8.5');
    expect(formatDifference(8.5)).toBe('+8.5');
    expect([-20, 0, 20].map(formatTick)).toEqual(['−20', '0', '+20']);
  });
});

describe('formatDate', () => {
  it('formats to the minute, and returns an invalid date unchanged', () => {
    expect(formatDate('2026-02-03T14:05:59.123Z')).toBe('2026-02-03 14:05 UTC');
    expect(formatDate('yesterday')).toBe('yesterday');
  });
});

describe('html', () => {
  it('escapes text and leaves markup alone', () => {
    const name = `<img src=x onerror="alert('&')">`;
    expect(html`<p title="${name}">${html`<b>${1}</b>`}${[html`<i></i>`, undefined]}</p>`.text).toBe(
      '<p title="&#60;img src=x onerror=&#34;alert(&#39;&#38;&#39;)&#34;&#62;"><b>1</b><i></i></p>',
    );
  });
});
