import type { Span } from './source.ts';

interface Diagnostic {
  readonly kind: 'error' | 'unsupported' | 'warning';
  readonly message: string;
  readonly span: Span | undefined;
}

/** The maximum number of diagnostics to report. More would not help the author of a program. */
const LIMIT = 50;

/** Thrown to abandon a construct that cannot be analyzed. Its error has already been reported. */
export class Abandon extends Error {}

/** Collects the diagnostics of a program, so that one run reports all errors. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];
  private readonly seen = new Set<string>();

  error(span: Span | undefined, message: string): void {
    this.add({ kind: 'error', message, span });
  }

  warning(span: Span | undefined, message: string): void {
    this.add({ kind: 'warning', message, span });
  }

  /**
   * Reports a feature of the language or architecture that this compiler lacks, with the clause of the specification.
   */
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

  /** Checks one construct. Returns false if it was abandoned; the caller then continues with the next construct. */
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
