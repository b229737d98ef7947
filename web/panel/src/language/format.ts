// Dates and amounts as people read them. Amounts are formatted, never computed: the service sends them ready.

import { createContext, useContext, useMemo } from 'react';
import { useText } from './text.ts';
import { languageText } from './words.ts';

/** The account's time zone. Without an account, the browser's. */
export const ZoneContext = createContext<string>(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** A decimal as in JSON, or as text where it may be longer than a number can hold. */
export type Decimal = number | `${number}`;

export function useFormat() {
  const locale = useText(languageText)('locale');
  const timeZone = useContext(ZoneContext);
  return useMemo(() => {
    const dateTime = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
    const exact = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'long' });
    const date = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' });
    const number = new Intl.NumberFormat(locale);
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    return {
      locale,
      timeZone,
      /** An instant, to the minute. */
      dateTime: (instant: string) => dateTime.format(new Date(instant)),
      /** An instant, to the second and with its zone. */
      exact: (instant: string) => exact.format(new Date(instant)),
      /** The day of an instant. */
      date: (instant: string) => date.format(new Date(instant)),
      /** The API's own `yyyy-mm-dd hh:mm:ss`, which is in the account's zone already. */
      local: (text: string) => {
        const [day = '', time = ''] = text.split(' ');
        const shown = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(
          new Date(`${day}T00:00:00Z`),
        );
        return `${shown}${time ? `, ${time.slice(0, 5)}` : ''}`;
      },
      amount: (value: Decimal, currency: string) =>
        new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value as number),
      number: (value: number) => number.format(value),
      /** A share from 0 to 1. */
      percent: (share: number) => percent.format(share),
    };
  }, [locale, timeZone]);
}
