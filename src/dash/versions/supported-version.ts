/**
 * The versions of dash.js that Sammy supports, as in package.json's peer range. Versions before 4.7 are not tested, 5.0.0
 * and 5.0.1 accept custom abandonment rules but never ask them, and 6 is not known yet.
 */
export const SUPPORTED_VERSIONS = '4.7 or a later 4, 5.0.2 or a later 5';

export function isSupportedVersion(version: string): boolean {
  const [, major = 0, minor = 0, patch = 0] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return (major === 4 && minor >= 7) || (major === 5 && (minor > 0 || patch >= 2));
}
