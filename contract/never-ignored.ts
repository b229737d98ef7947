// Fields that are never ignored, under whatever name and in whatever place.

/**
 * Whoever sends payment data means to pay: an unknown field whose name ends so, whatever its case and separators, is a fault
 * (docs/decisions/0002).
 */
export const neverIgnoredEnd = 'paymentdata';

/** What is said about it where no such field is known. */
export const neverIgnoredAdvice = 'No payment data is taken in this place.';
