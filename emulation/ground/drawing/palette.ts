/** How one of the compared arms or conditions is drawn: its color and its shape together are its own. */
export interface Look {
  readonly name: string;
  /** One of `--arm-N` in style.css: neutral for the control, then Okabe and Ito's for the color-blind. */
  readonly color: string;
  readonly symbol: (typeof TREATMENT_SYMBOLS)[number] | 'circle';
}

/** Seven, since the color-blind tell no more apart; arms that share a color have different symbols. */
const TREATMENT_COLORS = 7;
const TREATMENT_SYMBOLS = ['square', 'triangle', 'diamond', 'star', 'wye', 'hexagon', 'cross'] as const;

/** Every color with every symbol, once. */
export const TREATMENT_LOOKS = TREATMENT_COLORS * TREATMENT_SYMBOLS.length;

/** Neutral. */
export const controlLook = (name: string): Look => ({ name, color: 'var(--arm-0)', symbol: 'circle' });

/** Each round of the colors moves the symbols on by one, so that no pair comes again and those in a row share nothing. */
export function treatmentLook(name: string, index: number): Look {
  const color = index % TREATMENT_COLORS;
  const round = Math.floor(index / TREATMENT_COLORS);
  const symbol = TREATMENT_SYMBOLS[(color + round) % TREATMENT_SYMBOLS.length] ?? 'square';
  return { name, color: `var(--arm-${1 + color})`, symbol };
}

/** The looks of conditions, the first of which is the control. */
export const conditionLooks = (names: readonly string[]): Look[] =>
  names.map((name, index) => (index === 0 ? controlLook(name) : treatmentLook(name, index - 1)));

/** For Plot: names to their looks. */
export const scalesOf = (looks: readonly Look[]) => {
  const domain = looks.map(({ name }) => name);
  return {
    color: { domain, range: looks.map(({ color }) => color) },
    symbol: { domain, range: looks.map(({ symbol }) => symbol) },
  };
};
