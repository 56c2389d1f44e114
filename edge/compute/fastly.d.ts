/** The few calls of Fastly's runtime that service.ts makes (`@fastly/js-compute`, which npm run edge:compute installs). */
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
