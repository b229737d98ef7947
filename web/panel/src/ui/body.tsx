import { Json } from './json.tsx';

/** A JSON body with indentation, a form with one field per line, anything else as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    if (!/^[\w.~%+-]+=[^\s]*$/.test(text)) return text;
    return [...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}`).join('\n');
  }
}

/** The body of a request or a response, for reading. */
export function Body({ text }: { readonly text: string }) {
  return <Json value={text === '' ? '–' : readable(text)} />;
}
