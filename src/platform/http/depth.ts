// How deeply a JSON text is nested, before it is parsed: to build 30,000 nested arrays costs more than anything else that
// fits into a body.

const depthAtMost = 32;
const quote = 34;
const backslash = 92;

/** The error message for JSON that is nested too deeply; undefined if it is not. The text need not be valid. */
export function depthFault(text: string): string | undefined {
  if (!hasManyBrackets(text) || !isDeep(text)) return undefined;
  return `The JSON must not be nested more than ${depthAtMost} levels deep.`;
}

/** Whether there are enough of them for such a depth: found with `indexOf`, so that most bodies cost nothing. */
function hasManyBrackets(text: string): boolean {
  let found = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      found += 1;
      if (found > depthAtMost) return true;
    }
  }
  return false;
}

function isDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInString = !isInString;
    else if (isInString) at += code === backslash ? 1 : 0;
    // '[' and '{', ']' and '}' differ in one bit.
    else if ((code | 32) === 123) depth += 1;
    else if ((code | 32) === 125) depth -= 1;
    if (depth > depthAtMost) return true;
  }
  return false;
}
