import type { Span } from './source.ts';

interface Diagnostic {
  readonly kind: 'error' | 'unsupported' | 'warning';
  readonly message: string;
  readonly span: Span | undefined;
}

/** The most errors that are printed; more do not help the author of a program. */
const LIMIT = 50;

/** Thrown to leave a construct that cannot be understood; its error is already in the diagnostics. */
export class Abandon extends Error {}

/** Collects all errors of a program, so that one run reports them all. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];
  private readonly seen = new Set<string>();

  error(span: Span | undefined, message: string): void {
    this.add({ kind: 'error', message, span });
  }

  warning(span: Span | undefined, message: string): void {
    this.add({ kind: 'warning', message, span });
  }

  /** A feature of the language or the architecture that this compiler does not have, with the clause that defines it. */
  unsupported(span: Span | undefined, feature: string, clause: string): void {
    this.add({ kind: 'unsupported', message: `not supported: ${feature} (${clause})`, span });
  }

  fail(span: Span | undefined, message: string): never {
    this.error(span, message);
    throw new Abandon(message);
  }

  refuse(span: Span | undefined, feature: string, clause: string): never {
    this.unsupported(span, feature, clause);
    throw new Abandon(feature);
  }

  /** Runs the check of one construct; returns false if it was abandoned, and the caller goes on with the next. */
  attempt(run: () => void): boolean {
    try {
      run();
      return true;
    } catch (error) {
      if (!(error instanceof Abandon)) throw error;
      return false;
    }
  }

  get failed(): boolean {
    return this.list.some(({ kind }) => kind !== 'warning');
  }

  get errors(): Diagnostic[] {
    return this.list.filter(({ kind }) => kind === 'error');
  }

  get unsupportedFeatures(): Diagnostic[] {
    return this.list.filter(({ kind }) => kind === 'unsupported');
  }

  render(): string {
    return this.list.map(renderDiagnostic).join('\n');
  }

  private add(diagnostic: Diagnostic): void {
    const { span, message } = diagnostic;
    const key = `${span?.file.path ?? ''}:${span?.start ?? 0}:${message}`;
    if (this.seen.has(key) || this.list.length >= LIMIT) return;
    this.seen.add(key);
    this.list.push(diagnostic);
  }
}

function renderDiagnostic({ kind, message, span }: Diagnostic): string {
  const label = kind === 'warning' ? 'warning' : 'error';
  if (!span) return `${label}: ${message}`;
  const { line, column } = span.file.position(span.start);
  const text = span.file.lineText(line);
  const length = Math.max(1, Math.min(span.end - span.start, text.length - column + 1));
  const margin = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
  return `${span.file.path}:${line}:${column}: ${label}: ${message}\n${text}\n${margin}${'^'.repeat(length)}`;
}
