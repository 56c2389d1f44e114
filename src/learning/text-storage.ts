/** Storage for the history of earlier sessions: a single text. The plug-in uses localStorage. */
export interface TextStorage {
  read(): string | null;
  write(text: string): void;
  remove(): void;
}
