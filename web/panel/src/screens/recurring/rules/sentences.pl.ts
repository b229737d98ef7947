import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { scheduleCodes } from '../../../../../../contract/codes/schedule.ts';

function dayText(day: string, year?: 'numeric'): string {
  const format = new Intl.DateTimeFormat('pl-PL', { day: 'numeric', month: 'long', year, timeZone: 'UTC' });
  return format.format(new Date(day));
}

const units = {
  minutes: ['minutę', 'minuty', 'minut'],
  days: ['dzień', 'dni', 'dni'],
  months: ['miesiąc', 'miesiące', 'miesięcy'],
} as const;

function counted(count: number, unit: keyof typeof units): string {
  const form = new Intl.PluralRules('pl').select(count);
  const [one, few, many] = units[unit];
  return `${count} ${form === 'one' ? one : form === 'few' ? few : many}`;
}

const of = (total: number | null) => (total === null ? '' : ` z ${total}`);

export default {
  first_charge: ({ total }) => `Obciążenie 1${of(total)}: data pierwszego obciążenia.`,
  charge: ({ number, total, interval, unit, from, clampedTo, skippedTime, movedTo }) => {
    const clamped =
      clampedTo === null ? '' : `; dzień ${new Date(from).getUTCDate()} skrócony do ${dayText(clampedTo)}`;
    const moved = skippedTime === null ? '' : `; godzina ${skippedTime} tego dnia nie istnieje, więc ${movedTo}`;
    return `Obciążenie ${number}${of(total)}: co ${counted(interval, unit)} od ${dayText(from, 'numeric')}${clamped}${moved}.`;
  },
  retry: ({ number, total, delay, unit, policy }) =>
    `Ponowienie ${number} z ${total}: ${counted(delay, unit)} po nieudanej próbie (${policy === 'own' ? 'własny harmonogram' : 'domyślnie'}).`,
  retry_by_hand: () => 'Ponowienie na żądanie: od razu; zaplanowane ponowienia pozostają.',
  retry_with_new_instrument: () =>
    'Ponowienie z nowym instrumentem: od razu; zaplanowane ponowienia zaczynają się od nowa.',
  if_attempt_fails: () => 'Jeśli poprzednia próba się nie uda.',
  if_decided_failed: () =>
    'Jeśli operator zdecyduje, że poprzednia próba się nie udała: bank nie potrafił tego powiedzieć i do tego czasu nic nie zostanie pobrane.',
  once_charge_made: ({ number }) => `Gdy obciążenie ${number} zostanie wykonane.`,
  last_charge: ({ number }) => `Obciążenie ${number} jest ostatnie.`,
  canceled: () => 'Nic więcej nie nastąpi: anulowano.',
  finished: () => 'Nic więcej nie nastąpi: wykonano wszystkie obciążenia.',
  failed: () => 'Nic więcej nie nastąpi: ostatnie ponowienie się nie udało. Przywróci ją nowy instrument płatniczy.',
} satisfies Sentences<typeof scheduleCodes>;
