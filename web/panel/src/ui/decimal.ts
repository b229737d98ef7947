import { ApiError } from '../api/failure.ts';

/** A number as people type it, with a comma or a point; anything else is a fault of its field. */
export function decimalOf(text: string, field: string, complaint: string): number {
  const plain = text.trim().replace(',', '.');
  if (/^\d{1,12}(\.\d+)?$/.test(plain)) return Number(plain);
  throw new ApiError(400, [{ code: '', message: complaint, field }], '');
}
