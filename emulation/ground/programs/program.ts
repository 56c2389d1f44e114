import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeOptionsFor } from '../../../system/bundle/node-options.ts';

/** A program that the lab has started, and the channel for messages in both directions. */
export interface LabProgram {
  send(message: { readonly type: string }): void;
  /**
   * Returns the next message of a type, which may have arrived already. Throws an Error of one line when the program
   * ends first, or when no such message arrives in time.
   */
  expect<Message extends { readonly type: string }>(
    type: Message['type'],
    within_s: number,
  ): Promise<Message>;
  /** Resolves when the program has ended. */
  stop(): Promise<void>;
}

/** The time that a program has to end after its channel closes, before it is killed. */
const STOP_WITHIN_MS = 2000;

/**
 * Starts a TypeScript program that begins with `joinLab`. `enter` is a command prefix that enters the link's network
 * namespace, such as `nsenter --target PID --net`; without a prefix, the program runs in this process's namespace. The
 * program ends together with this process.
 */
export function startLabProgram(
  enter: readonly string[],
  program: URL,
  args: readonly string[] = [],
): LabProgram {
  const path = fileURLToPath(program);
  const file = basename(path);
  const words = [...enter, process.execPath, ...nodeOptionsFor(program), path, ...args];
  const child = spawn(words[0] ?? process.execPath, words.slice(1), {
    // tsx is resolved from this folder.
    cwd: dirname(path),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const inbox: { type: string }[] = [];
  /** The reason why the program ended; null while it runs. */
  let ending: string | null = null;
  const changes = new EventEmitter();

  const printed = text(child.stderr ?? Readable.from([])).catch(() => '');
  child.on('message', (message) => {
    inbox.push(message as { type: string });
    changes.emit('change');
  });
  const ended = new Promise<void>((resolve) => {
    const end = (line: string): void => {
      ending ??= line;
      changes.emit('change');
      resolve();
    };
    // The event is 'exit', because 'close' is not emitted after this process has called `disconnect`.
    child.once('exit', (status, signal) => {
      const how = signal ? `by ${signal}` : `exit status ${status ?? 'unknown'}`;
      void printed.then((lines) => end(complaint(lines) ?? how));
    });
    // Sending to a program that has just ended also emits 'error'; its exit status explains more.
    child.on('error', (error) => {
      if (child.pid === undefined) end(error.message);
    });
  });

  return {
    send(message) {
      child.send(message, () => undefined);
    },
    async expect<Message extends { readonly type: string }>(type: Message['type'], within_s: number) {
      const deadline = AbortSignal.timeout(within_s * 1000);
      while (true) {
        const index = inbox.findIndex((message) => message.type === type);
        if (index >= 0) return inbox.splice(index, 1)[0] as unknown as Message;
        if (ending !== null) throw new Error(`${file} ended early: ${ending}`);
        await once(changes, 'change', { signal: deadline }).catch(() => {
          throw new Error(`${file} did not send '${type}' within ${within_s} s`);
        });
      }
    },
    async stop() {
      if (child.connected) child.disconnect();
      await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Finds the line of a program's output that names the error; Node prints a stack and its version after that line. */
function complaint(printed: string): string | null {
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /Error\b/.test(line)) ?? lines.at(-1) ?? null;
}
