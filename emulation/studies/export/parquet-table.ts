import { renameSync, rmSync } from 'node:fs';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { Columns, Row } from './columns.ts';

/** The number of rows that are collected in memory and then written as a row group. */
const ROWS_OF_A_GROUP = 100_000;

/** A Parquet file in progress. It gets its final name only when it is complete and published. */
export class ParquetTable<Has extends Columns> {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #columns: Has;
  readonly #writer: ParquetWriter;
  #rows: Row<Has>[] = [];
  #written = 0;

  constructor(file: string, columns: Has) {
    this.#file = file;
    this.#unfinished = `${file}.${process.pid}.tmp`;
    this.#columns = columns;
    this.#writer = new ParquetWriter({
      writer: fileWriter(this.#unfinished),
      schema: schemaFromColumnData({ columnData: this.#data([]) }),
    });
  }

  add(rows: readonly Row<Has>[]): void {
    // Pushes each row separately: a session of a day has more rows than a call may have arguments.
    for (const row of rows) this.#rows.push(row);
    if (this.#rows.length >= ROWS_OF_A_GROUP) this.#flush();
  }

  /** Completes the file, and returns the number of its rows. Throws an Error if the disk is full. */
  finish(): number {
    this.#flush();
    void this.#writer.finish();
    return this.#written;
  }

  /** Renames the finished file to its final name, replacing any existing file. */
  publish(): void {
    renameSync(this.#unfinished, this.#file);
  }

  /** Removes the unfinished file. */
  discard(): void {
    rmSync(this.#unfinished, { force: true });
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    void this.#writer.write({ columnData: this.#data(this.#rows), rowGroupSize: this.#rows.length });
    this.#written += this.#rows.length;
    this.#rows = [];
  }

  #data(rows: readonly Row<Has>[]) {
    return Object.entries(this.#columns).map(([name, type]) => ({
      name,
      type,
      nullable: true,
      data: rows.map((row) => row[name]),
    }));
  }
}
