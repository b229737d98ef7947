export default {
  /** How dates and numbers are written. */
  locale: 'en-GB',
} as const;
