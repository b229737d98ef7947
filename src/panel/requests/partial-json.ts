// The beginning of a JSON text, completed to JSON: what was cut is left out, whole values only. Pure.

const [quote, backslash, comma, colon] = [34, 92, 44, 58];
const opening = '{[';
const closing = '}]';
const ofWords = /[\w.+-]/;

/** The text up to its last whole value, with everything closed that is open there. Not JSON: not JSON either. */
export function completed(text: string): string {
  const end = endOfWhole(text);
  return text.slice(0, end) + closersOf(text, end);
}

/** The position behind the last value, or the last opening bracket, that is there in full. */
function endOfWhole(text: string): number {
  let whole = 0;
  let isName = false;
  const inObject: boolean[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = behindString(text, at);
      if (end > text.length) return whole;
      if (!isName) whole = end;
      at = end;
      continue;
    }
    if (ofWords.test(text.charAt(at))) {
      at = behindWord(text, at);
      // A number that ends with the text may go on.
      if (at === text.length) return whole;
      whole = at;
      continue;
    }
    at += 1;
    if (code === comma) isName = inObject.at(-1) === true;
    else if (code === colon) isName = false;
    else if (opening.includes(text.charAt(at - 1))) {
      isName = text.charAt(at - 1) === '{';
      inObject.push(isName);
      whole = at;
    } else if (closing.includes(text.charAt(at - 1))) {
      inObject.pop();
      isName = false;
      whole = at;
    }
  }
  return whole;
}

/** Closes what is open at the end, the innermost first. */
function closersOf(text: string, end: number): string {
  const open: string[] = [];
  for (let at = 0; at < end; at += 1) {
    if (text.charCodeAt(at) === quote) at = behindString(text, at) - 1;
    else if (opening.includes(text.charAt(at))) open.push(closing.charAt(opening.indexOf(text.charAt(at))));
    else if (closing.includes(text.charAt(at))) open.pop();
  }
  return open.reverse().join('');
}

/** The position behind the closing quotation mark; behind the text if there is none. */
function behindString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

function behindWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && ofWords.test(text.charAt(at))) at += 1;
  return at;
}
