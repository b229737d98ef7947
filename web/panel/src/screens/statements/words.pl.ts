import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  opening: 'Saldo początkowe',
  other: 'Inne',
  quietDays: {
    one: 'Pominięto {count} dzień, w którym nic się nie działo; jest w pliku.',
    few: 'Pominięto {count} dni, w których nic się nie działo; są w pliku.',
    many: 'Pominięto {count} dni, w których nic się nie działo; są w pliku.',
    other: 'Pominięto {count} dnia, w których nic się nie działo; są w pliku.',
  },
  quietMonths: {
    one: 'Pominięto {count} miesiąc, w którym nic się nie działo; jest w pliku.',
    few: 'Pominięto {count} miesiące, w których nic się nie działo; są w pliku.',
    many: 'Pominięto {count} miesięcy, w których nic się nie działo; są w pliku.',
    other: 'Pominięto {count} miesiąca, w których nic się nie działo; są w pliku.',
  },
  statementsAbout: 'Każdy wiersz sumuje się od lewej do prawej: od salda początkowego do końcowego.',
  inCurrency: 'Kwoty w {currency}',
  by: 'Jeden wiersz na',
  day: 'Dzień',
  month: 'Miesiąc',
  total: 'Razem',
  openingBalance: 'Początek',
  payments: 'Płatności',
  paymentFees: 'Prowizje od płatności',
  refunds: 'Zwroty',
  refundFees: 'Prowizje od zwrotów',
  refundsReturned: 'Cofnięte zwroty',
  commissions: 'Prowizje partnera',
  disputes: 'Spory',
  closing: 'Koniec',
} satisfies Translation<typeof en>;
