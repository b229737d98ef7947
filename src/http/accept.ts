// What a client wants to get. Pure.

const weightOf = (parameters: readonly string[]): number => {
  const text = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='));
  const weight = text === undefined ? 1 : Number(text.slice('q='.length));
  return weight >= 0 && weight <= 1 ? weight : 0;
};

/** How much a type is wanted: by its own name, else by that of its kind, else by `*`. */
function wanted(accept: string, type: string): number {
  const ranges = new Map(
    accept.split(',').map((range) => {
      const [name = '', ...parameters] = range.split(';');
      return [name.trim().toLowerCase(), weightOf(parameters)] as const;
    }),
  );
  return ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? ranges.get('*/*') ?? 0;
}

const lengthAtMost = 1_000;

/** Whether `Accept` asks for CSV and not rather for JSON; whoever takes anything gets JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined || accept.length > lengthAtMost) return false;
  return wanted(accept, 'text/csv') > wanted(accept, 'application/json');
}
