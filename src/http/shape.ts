// How deeply a JSON text is nested, how many fields its objects have and how many objects there are, found before it is
// parsed: 30,000 nested arrays, objects with hundreds of fields, or 300,000 empty objects, cost more to build than anything
// else that fits into a body.

const depthAtMost = 32;
/** Several times what our largest object has. V8 keeps objects of up to 128 fields in a form that is cheap to build. */
const fieldsAtMost = 100;
/** In all: more than a cart has that fits into the largest body. */
const partsAtMost = 30_000;
const valuesAtMost = 150_000;
const quote = 34;
const backslash = 92;
const colon = 58;
const comma = 44;

/** The error message for JSON that is too deep, too wide or too large; undefined if it is not. The text need not be valid. */
export function shapeFault(text: string): string | undefined {
  const mayBeDeep = text.length > valuesAtMost || hasMoreThan(depthAtMost, text, ['[', '{']);
  return mayBeDeep || hasMoreThan(fieldsAtMost, text, [':']) ? faultOf(text) : undefined;
}

/** Found with `indexOf`, so that most bodies cost nothing. */
function hasMoreThan(most: number, text: string, marks: readonly string[]): boolean {
  let found = 0;
  for (const mark of marks) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      found += 1;
      if (found > most) return true;
    }
  }
  return false;
}

function faultOf(text: string): string | undefined {
  const fields = new Int32Array(depthAtMost + 1);
  let depth = 0;
  let parts = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInString = !isInString;
    else if (isInString) at += code === backslash ? 1 : 0;
    // '[' and '{', ']' and '}' differ in one bit.
    else if ((code | 32) === 123) {
      depth += 1;
      parts += 1;
      if (parts > partsAtMost) return `The JSON must not have more than ${partsAtMost} objects and arrays.`;
      if (depth > depthAtMost) return `The JSON must not be nested more than ${depthAtMost} levels deep.`;
      fields[depth] = 0;
    } else if ((code | 32) === 125) {
      depth = Math.max(0, depth - 1);
    } else if (code === colon) {
      const count = (fields[depth] ?? 0) + 1;
      if (count > fieldsAtMost) return `An object in the JSON must not have more than ${fieldsAtMost} fields.`;
      fields[depth] = count;
    } else if (code === comma) {
      values += 1;
      if (values > valuesAtMost) return `The JSON must not have more than ${valuesAtMost} values.`;
    }
  }
  return undefined;
}
