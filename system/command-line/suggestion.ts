/**
 * A name is suggested if its edit distance from the word is at most `MAX_DISTANCE` characters, and below `MAX_SHARE` of
 * the length of the name or the word, whichever is longer.
 */
const MAX_DISTANCE = 3;
const MAX_SHARE = 0.6;

/** The shortest word that is accepted as the beginning of a name, in letters. */
const LEAST_BEGINNING = 2;

/** Suggests the name that a word probably means, as in ` (Did you mean run?)`. Empty if no name is similar. */
export function suggestionFor(word: string, names: readonly string[]): string {
  const name = similarName(word, names) ?? onlyNameThatBegins(word, names);
  return name === undefined ? '' : ` (Did you mean ${name}?)`;
}

/** Finds the name that is most similar to a word; undefined if none is similar. */
export function similarName(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(
      ({ name, distance }) =>
        distance <= MAX_DISTANCE && distance < MAX_SHARE * Math.max(word.length, name.length),
    )
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

function onlyNameThatBegins(word: string, names: readonly string[]): string | undefined {
  if (word.replace(/^-+/, '').length < LEAST_BEGINNING) return undefined;
  const begun = names.filter((name) => name.startsWith(word));
  return begun.length === 1 ? begun[0] : undefined;
}

/**
 * Returns the element with the given name. If there is none, throws an Error that lists all names and suggests the most
 * similar name.
 */
export function named<Each extends { readonly name: string }>(
  what: string,
  name: string,
  all: readonly Each[],
): Each {
  const found = all.find((each) => each.name === name);
  if (found) return found;
  const names = all.map((each) => each.name);
  throw new Error(`no ${what} '${name}'${suggestionFor(name, names)}; there are ${names.join(', ')}`);
}

/**
 * The number of insertions, deletions, replacements, and swaps of neighbors between two words (optimal string
 * alignment distance).
 */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row += 1) {
    const distances = [row];
    rows.push(distances);
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      distances.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
