/** A P4 source file. Diagnostics show its lines. */
export class SourceFile {
  readonly path: string;
  readonly text: string;
  private lineStarts: number[] | undefined;

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  /** Converts an offset to line and column, both counted from 1. */
  position(offset: number): { line: number; column: number } {
    const starts = this.starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  lineText(line: number): string {
    const starts = this.starts();
    return this.text.slice(starts[line - 1] ?? 0, starts[line] ?? this.text.length).replace(/\r?\n$/, '');
  }

  private starts(): number[] {
    if (!this.lineStarts) {
      this.lineStarts = [0];
      for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1))
        this.lineStarts.push(at + 1);
    }
    return this.lineStarts;
  }
}

/** A range of source text. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

export function spanning(from: Span, to: Span): Span {
  return from.file === to.file && to.end >= from.start
    ? { file: from.file, start: from.start, end: to.end }
    : from;
}
