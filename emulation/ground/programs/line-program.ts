import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { errorLine } from '../../../system/error-line.ts';
import { asFields, asText } from '../files/check.ts';

/** The command that starts a program of `analysis/`. */
export interface Program {
  readonly python: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A Python module in its own process that answers each line of JSON with one line. */
export class LineProgram {
  /** The program's name in messages. */
  readonly #name: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  #said = '';

  constructor(name: string, { python, env }: Program, module: string) {
    this.#name = name;
    this.#child = spawn(python, ['-m', module], { env, stdio: 'pipe' });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    this.#child.once('error', (error) => this.#ended(error.message));
    this.#child.once('close', (status) => this.#ended(`status ${status ?? 'unknown'}`));
    // Ignored: writing to a process that has ended fails, but the 'close' event already rejects the question.
    this.#child.stdin.on('error', () => undefined);
  }

  /** Sends a question and returns the answer. Throws an Error of one line when the program reports an error or ends. */
  async ask(question: unknown): Promise<Readonly<Record<string, unknown>>> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#child.exitCode === null) this.#child.stdin.write(`${JSON.stringify(question)}\n`);
      else this.#ended(`status ${this.#child.exitCode}`);
    });
    const said = asFields(JSON.parse(line), `the ${this.#name}'s answer`);
    if (said.error !== undefined)
      throw new Error(`the ${this.#name}: ${errorLine(asText(said.error, 'error'))}`);
    return said;
  }

  close(): void {
    this.#child.stdin.end();
  }

  #ended(how: string): void {
    const last = this.#said.trim().split('\n').at(-1) ?? '';
    const error = new Error(`the ${this.#name} ended with ${how}${last === '' ? '' : `: ${last}`}`);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
