/**
 * The versions of dash.js that Sammy drives, as in package.json's peer range. Older ones than 4.7 were not tried; 5.0.0
 * and 5.0.1 take custom abandonment rules but never ask them, and what a 6 will be is not known.
 */
export const SUPPORTED_VERSIONS = '4.7 or a later 4, 5.0.2 or a later 5';

export function isSupportedVersion(version: string): boolean {
  const [, major = 0, minor = 0, patch = 0] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  return (major === 4 && minor >= 7) || (major === 5 && (minor > 0 || patch >= 2));
}
