import { expect, it } from 'vitest';
import { ensureLanguage } from './language.ts';

it.each(['en-US@posix', 'C', '', 'undefined-', 'de_DE.UTF-8', 'x'])(
  'replaces %j, which is not a language tag, by a valid one',
  (language) => {
    const browser = Object.create({ language }) as { language: string };
    expect(() => new Intl.NumberFormat(browser.language)).toThrow(RangeError);
    ensureLanguage(browser);
    expect(browser.language).toBe('en-US');
  },
);

it.each(['de', 'pt-BR', 'zh-Hans-CN'])('keeps %s', (language) => {
  const browser = { language };
  ensureLanguage(browser);
  expect(browser).toEqual({ language });
});
