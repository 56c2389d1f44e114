import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseOptions } from '../../../system/command-line/parse-options.ts';
import { bytes, seconds, secondsToMilliseconds, type Bytes, type Milliseconds } from '../../../src/units.ts';
import { errorLine } from '../../../system/error-line.ts';
import { parseCongestionControl, type CongestionControlRule } from '../../congestion-control.ts';
import { isByAs, isCluster } from '../../cluster.ts';
import { pageOrigin } from '../../cors.ts';
import { forwardedHeader } from '../../headers/forwarded-headers.ts';
import { paceLimits, type PaceLimits } from '../../policy.ts';
import {
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_PER_ADDRESS,
  type AdmissionLimits,
} from '../connections/admission.ts';
import { checkCertificate, type Certificate } from '../http-server.ts';
import { LOG_LEVELS, type LogLevel } from '../logging/lines.ts';
import { LOG_FORMATS, type LogFormat } from '../logging/log.ts';
import { readConfigurationFile } from './configuration-file.ts';
import { readHoldout } from './holdout.ts';
import { OPTIONS } from './options.ts';

/**
 * The maximum number of workers. More processes than cores have no benefit, and usual machines have fewer cores than
 * this.
 */
const MAX_WORKERS = 256;

/** The subcommands, which `main` handles before options are parsed. */
const COMMANDS = ['check', 'sessions'];

/** The options whose settings a reload can change. */
const LIVE_OPTIONS: readonly string[] = [
  'pacing',
  'floor-kbps',
  'ceiling-kbps',
  'foreign-players',
  'foreign-floor-kbps',
  'holdout',
  'log-level',
  'allow-origin',
  'credentials-origin',
  'tls-cert',
  'tls-key',
];

/** The settings that a reload changes. Responses in flight keep their previous settings. */
export interface LiveSettings {
  readonly limits: PaceLimits;
  readonly tls: Certificate | undefined;
  readonly allowedOrigins: readonly string[];
  readonly credentialsOrigins: readonly string[];
  /** The share of sessions that are held out, and therefore not paced. */
  readonly holdout: number;
  readonly logLevel: LogLevel;
}

/** The operator's settings, checked. */
export interface Settings {
  readonly live: LiveSettings;
  /** The options of the file and the command line, completed by the defaults, as text. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** A directory or a URL. */
  readonly origin: string;
  /** Additional request headers for the origin. */
  readonly forwardHeaders: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly logFormat: LogFormat;
  readonly congestionControl: CongestionControlRule | undefined;
  /** Whether paced responses yield to other traffic if the player states its floor. */
  readonly yields: boolean;
  /** The limits of one process. The limits of all processes add up to the operator's limits. */
  readonly admission: AdmissionLimits;
  /** Whether clients connect through a proxy, so that an address does not identify a client. */
  readonly isProxied: boolean;
  readonly operator: { readonly host: string; readonly port: number | undefined };
  /** A file with the experiments. */
  readonly experiments: string | undefined;
  /**
   * The cluster that this edge serves, for experiments. `{asn}` is replaced by the client's autonomous system number.
   */
  readonly cluster: string;
  /** A file that maps addresses to autonomous systems. */
  readonly asTable: string | undefined;
  /** The directory for session beacons, and its maximum size; undefined if beacons are not accepted. */
  readonly sessions: { readonly directory: string; readonly limit: Bytes } | undefined;
  readonly drain: Milliseconds;
  readonly workers: number;
}

/** Parses the command's arguments. Throws an Error that names an invalid option, its value and the valid values. */
export async function readSettings(args: string[]): Promise<Settings> {
  const options = readOptions(args);
  if (options.origin === undefined)
    throw new Error('--origin is missing; give a directory or an http(s) URL');
  if (options.port === undefined) throw new Error('--port is missing; give a number from 0 to 65535');
  const operatorPort = options['operator-port'];
  const congestionControl = options['congestion-control'];
  const floor = readNumber('--floor-kbps', options['floor-kbps']);
  const ceiling = readNumber('--ceiling-kbps', options['ceiling-kbps']);
  const foreignFloor = readNumber('--foreign-floor-kbps', options['foreign-floor-kbps']);
  const workers = readWorkers(options.workers);
  const connections = readCount('--max-connections', options['max-connections'], MAX_CONNECTIONS, workers);
  const ofAddress = options['max-connections-per-address'];
  const perAddress = readCount(
    '--max-connections-per-address',
    ofAddress,
    MAX_CONNECTIONS_PER_ADDRESS,
    workers,
  );
  return {
    live: {
      limits: paceLimits(
        {
          ...(floor !== undefined && { floor_kbps: floor }),
          ...(ceiling !== undefined && { ceiling_kbps: ceiling }),
          ...(foreignFloor !== undefined && { foreign_floor_kbps: foreignFloor }),
          pacesForeign:
            readWord('--foreign-players', options['foreign-players'], ['paced', 'unpaced']) === 'paced',
          switchedOff: readWord('--pacing', options.pacing, ['on', 'off']) === 'off',
        },
        { floor: '--floor-kbps', ceiling: '--ceiling-kbps', foreignFloor: '--foreign-floor-kbps' },
      ),
      tls: await readCertificate(options['tls-cert'], options['tls-key']),
      allowedOrigins: options['allow-origin'],
      credentialsOrigins: options['credentials-origin'].map((text) =>
        pageOrigin('--credentials-origin', text),
      ),
      holdout: readHoldout(options.holdout),
      logLevel: readWord('--log-level', options['log-level'], LOG_LEVELS),
    },
    options: { ...options },
    origin: options.origin,
    forwardHeaders: options['forward-header'].map((name) => forwardedHeader('--forward-header', name)),
    host: readHost('--host', options.host),
    port: readPort('--port', options.port),
    logFormat: readWord('--log-format', options['log-format'], LOG_FORMATS),
    congestionControl:
      congestionControl === undefined
        ? undefined
        : parseCongestionControl('--congestion-control', congestionControl),
    yields: options.yield,
    // A process does not know the connections of other processes, so each process gets an equal part of the limit.
    admission: {
      connections: Math.floor(connections / workers),
      perAddress: Math.floor(perAddress / workers),
    },
    // If the operator has allowed one address to open all connections, clients connect through a proxy. Equal defaults
    // do not imply a proxy.
    isProxied: ofAddress !== undefined && perAddress >= connections,
    operator: {
      host: readHost('--operator-host', options['operator-host']),
      port: operatorPort === undefined ? undefined : readPort('--operator-port', operatorPort),
    },
    experiments: options.experiments,
    cluster: readCluster(options.cluster, options['as-table']),
    asTable: options['as-table'],
    sessions: readSessions(options.sessions, options['sessions-mb']),
    drain: readDrain(options['drain-s']),
    workers,
  };
}

/** Returns the changed options that need a restart. Enabling TLS is one of them, but not a new certificate. */
export function fixedDifferences(before: Settings, after: Settings): string[] {
  const differ = Object.keys(OPTIONS).filter(
    (name) => !LIVE_OPTIONS.includes(name) && !isDeepStrictEqual(before.options[name], after.options[name]),
  );
  const switchesTls = Boolean(before.live.tls) !== Boolean(after.live.tls);
  return switchesTls ? [...differ, 'tls-cert', 'tls-key'] : differ;
}

/** Returns the options that a reload changes, each with its new value, such as `pacing off`. */
export function liveDifferences(before: Settings, after: Settings): string[] {
  return LIVE_OPTIONS.filter((name) => !isDeepStrictEqual(before.options[name], after.options[name])).map(
    (name) => `${name} ${String(after.options[name] ?? 'not set')}`,
  );
}

/**
 * Parses the options of the file and of the command line, which takes precedence. Throws an Error for an unknown
 * option.
 */
function readOptions(args: string[]) {
  const given = parseOptions({ args, options: OPTIONS }, COMMANDS).values;
  if (given.config === undefined) return given;
  const file = readConfigurationFile(given.config);
  try {
    return parseOptions({ args: [...file, ...args], options: OPTIONS }).values;
  } catch (error) {
    throw new Error(`--config '${given.config}': ${errorLine(error)}`, { cause: error });
  }
}

function readWord<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === text);
  if (word === undefined) throw new Error(`${option} is '${text}'; expected ${words.join(' or ')}`);
  return word;
}

function readWorkers(text: string): number {
  const workers = Number(text);
  if (!/^\d{1,3}$/.test(text) || workers < 1 || workers > MAX_WORKERS)
    throw new Error(`--workers is '${text}'; expected a number of processes from 1 to ${MAX_WORKERS}`);
  return workers;
}

function readCluster(text: string, asTable: string | undefined): string {
  if (!isCluster(text)) {
    throw new Error(
      `--cluster is '${text}'; expected 1 to 64 letters, digits, points, colons, - and _, or {asn} among them`,
    );
  }
  if (isByAs(text) && asTable === undefined)
    throw new Error(`--cluster is '${text}' without --as-table, the table of autonomous systems`);
  if (!isByAs(text) && asTable !== undefined)
    throw new Error(`--as-table has no effect, because --cluster '${text}' does not contain {asn}`);
  return text;
}

function readSessions(directory: string | undefined, text: string): Settings['sessions'] {
  const megabytes = Number(text);
  if (!/^\d{1,7}$/.test(text) || megabytes < 10) {
    throw new Error(`--sessions-mb is '${text}'; expected whole megabytes from 10`);
  }
  return directory === undefined ? undefined : { directory, limit: bytes(megabytes * 1_000_000) };
}

function readDrain(text: string): Milliseconds {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 3600) {
    throw new Error(`--drain-s is '${text}'; expected seconds from 0 to 3600`);
  }
  return secondsToMilliseconds(seconds(value));
}

function readNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < Infinity)) {
    throw new Error(`${option} is '${text}'; expected a number of kbit/s above 0`);
  }
  return value;
}

/** Parses a limit of connections. Each worker needs at least one connection. */
function readCount(option: string, text: string | undefined, otherwise: number, workers: number): number {
  const count = text === undefined ? otherwise : Number(text);
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text)) {
    throw new Error(`${option} is '${text}'; expected a whole number of connections from 1`);
  }
  if (count < workers) {
    throw new Error(
      `${option} is '${count}'; expected at least one connection for each of ${workers} workers`,
    );
  }
  return count;
}

async function readCertificate(
  cert: string | undefined,
  key: string | undefined,
): Promise<Certificate | undefined> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['--tls-key', '--tls-cert'] : ['--tls-cert', '--tls-key'];
    throw new Error(`${given} is given without ${missing}; TLS needs both`);
  }
  const read = (option: string, file: string) =>
    readFile(file, 'utf8').catch((error: unknown) => {
      throw new Error(`${option} '${file}' cannot be read: ${errorLine(error)}`, { cause: error });
    });
  const certificate = { cert: await read('--tls-cert', cert), key: await read('--tls-key', key) };
  await checkCertificate(certificate);
  return certificate;
}

/** Rejects an empty host, such as an unset variable of a script, with which Node would listen on all addresses. */
function readHost(option: string, text: string): string {
  if (text.trim() === '') throw new Error(`${option} is '${text}'; expected an address or a host name`);
  return text;
}

function readPort(option: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new Error(`${option} is '${text}'; expected a number from 0 to 65535`);
  return port;
}
