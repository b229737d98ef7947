// The language that a browser prefers.

/** Longer than any real browser sends. */
export const languageHeaderAtMost = 200;

/** The known language with the highest weight in Accept-Language; the first of equals; undefined if there is none. */
export function preferredLanguage<Language extends string>(
  acceptLanguage: string | undefined,
  known: readonly Language[],
): Language | undefined {
  let best: Language | undefined;
  let bestWeight = 0;
  for (const part of (acceptLanguage ?? '').slice(0, languageHeaderAtMost).toLowerCase().split(',')) {
    const [tag = '', ...parameters] = part.trim().split(';');
    const language = known.find((one) => one === tag.split('-', 1)[0]);
    const weight = weightOf(parameters);
    if (language !== undefined && weight > bestWeight) {
      best = language;
      bestWeight = weight;
    }
  }
  return best;
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
  const weight = given === undefined ? 1 : Number(given);
  return Number.isNaN(weight) ? 0 : weight;
}
