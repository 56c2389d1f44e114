/**
 * Gives the page a language that `Intl` accepts, if the browser reports none. Chromium reports `en-US@posix` if the
 * system's locale is C, and uPlot uses the language to format numbers as soon as it is imported.
 */
export function ensureLanguage(browser: { readonly language: string }): void {
  try {
    Intl.getCanonicalLocales(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { value: 'en-US', configurable: true });
  }
}
