/** Data as it is in a request; long lines are wrapped, so nothing scrolls sideways. */
export function Json({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  return <pre className="json">{text}</pre>;
}
