/**
 * Types of the functions of Fastly's runtime that service.ts calls. `npm run edge:compute` installs the runtime's
 * package, @fastly/js-compute.
 */
declare module 'fastly:backend' {
  export class Backend {
    readonly name: string;
    constructor(options: {
      name: string;
      target: string;
      hostOverride: string;
      useSSL: boolean;
      sniHostname?: string;
      certificateHostname?: string;
    });
  }
}
declare module 'fastly:cache-override' {
  export class CacheOverride {
    readonly mode: string;
    constructor(mode: 'pass');
  }
}
declare module 'fastly:config-store' {
  export class ConfigStore {
    constructor(name: string);
    get(key: string): string | null;
  }
}
declare module 'fastly:logger' {
  export class Logger {
    constructor(name: string);
    log(message: string): void;
  }
}
declare module 'fastly:env' {
  export function env(name: string): string;
}
