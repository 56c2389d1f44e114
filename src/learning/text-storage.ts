/** Storage for the memory of earlier sessions: one text. The player's adapter gives localStorage, tests give a variable. */
export interface TextStorage {
  read(): string | null;
  write(text: string): void;
  remove(): void;
}
