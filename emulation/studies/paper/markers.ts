/** `<!-- table:single -->` to `<!-- /table:single -->`: what stands between them is replaced. */
export function fillMarkers(text: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((filled, [name, content]) => {
    const [begin, end] = [`<!-- table:${name} -->`, `<!-- /table:${name} -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from < 0) return filled;
    if (to < from) throw new Error(`${begin} has no ${end} after it`);
    return `${filled.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${filled.slice(to)}`;
  }, text);
}
