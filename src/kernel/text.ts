// Concatenating strings.

/**
 * Joins the parts into a flat string. `+` and templates create ropes, and JSON.stringify leaves its fast path for the
 * whole value when it meets one: with four ropes, serializing E1's response took four times as long.
 */
export function joined(...parts: readonly string[]): string {
  return parts.join('');
}
