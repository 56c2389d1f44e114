/**
 * Gives the page a language that `Intl` takes, if the browser reports none: Chromium reports `en-US@posix` where the system's
 * locale is C, and uPlot formats numbers by that as soon as it is imported.
 */
export function ensureLanguage(browser: { readonly language: string }): void {
  try {
    Intl.getCanonicalLocales(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { value: 'en-US', configurable: true });
  }
}
