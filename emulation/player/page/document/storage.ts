/** `localStorage`, which lasts as long as the page. */
export class PageStorage {
  readonly #items = new Map<string, string>();

  get length(): number {
    return this.#items.size;
  }

  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null;
  }

  getItem(key: unknown): string | null {
    return this.#items.get(String(key)) ?? null;
  }

  setItem(key: unknown, value: unknown): void {
    this.#items.set(String(key), String(value));
  }

  removeItem(key: unknown): void {
    this.#items.delete(String(key));
  }

  clear(): void {
    this.#items.clear();
  }
}
