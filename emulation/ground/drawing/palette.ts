/** The color and symbol of an arm or condition. The pair is unique in a chart. */
export interface Look {
  readonly name: string;
  /**
   * One of `--arm-N` in style.css: neutral for the control, then the palette of Okabe and Ito, which color-blind
   * readers can distinguish.
   */
  readonly color: string;
  readonly symbol: (typeof TREATMENT_SYMBOLS)[number] | 'circle';
}

/** Color-blind readers can distinguish seven colors; arms that share a color have different symbols. */
const TREATMENT_COLORS = 7;
const TREATMENT_SYMBOLS = ['square', 'triangle', 'diamond', 'star', 'wye', 'hexagon', 'cross'] as const;

/** The number of distinct pairs of color and symbol. */
export const TREATMENT_LOOKS = TREATMENT_COLORS * TREATMENT_SYMBOLS.length;

export const controlLook = (name: string): Look => ({ name, color: 'var(--arm-0)', symbol: 'circle' });

/**
 * Returns the look of a treatment. Each round of the colors shifts the symbols by one, so that no pair repeats and
 * consecutive arms share neither.
 */
export function treatmentLook(name: string, index: number): Look {
  const color = index % TREATMENT_COLORS;
  const round = Math.floor(index / TREATMENT_COLORS);
  const symbol = TREATMENT_SYMBOLS[(color + round) % TREATMENT_SYMBOLS.length] ?? 'square';
  return { name, color: `var(--arm-${1 + color})`, symbol };
}

/** Returns the looks of conditions, the first of which is the control. */
export const conditionLooks = (names: readonly string[]): Look[] =>
  names.map((name, index) => (index === 0 ? controlLook(name) : treatmentLook(name, index - 1)));

/** Plot scales that map each name to its color and symbol. */
export const plotScales = (looks: readonly Look[]) => {
  const domain = looks.map(({ name }) => name);
  return {
    color: { domain, range: looks.map(({ color }) => color) },
    symbol: { domain, range: looks.map(({ symbol }) => symbol) },
  };
};
