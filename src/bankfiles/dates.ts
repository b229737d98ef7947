// Calendar days. A statement may have a million of them, so no objects are created for them.

const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the text is an existing day, written as 2026-11-19. Databases have no year 0. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return year >= 1 && day >= 1 && day <= (days[month - 1] ?? 0) + (isLeap && month === 2 ? 1 : 0);
}
