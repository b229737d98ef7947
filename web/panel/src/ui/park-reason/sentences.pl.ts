import type { Sentences } from '../../../../../contract/codes/message.ts';
import type { parkReasons } from '../../../../../contract/codes/parking.ts';

const sums = {
  capture: 'obciążeń',
  refund: 'zwrotów',
  payout: 'wypłat',
  fee: 'opłat',
  dispute: 'sporów',
  other: '',
} as const;
const kinds = {
  capture: 'obciążenie',
  refund: 'zwrot',
  refund_returned: 'zwrot, który wrócił,',
  payout: 'wypłata',
  payout_returned: 'wypłata, która wróciła,',
  fee: 'opłata',
  dispute: 'kwota sporu',
  dispute_won: 'zwrócona kwota sporu',
  other_taken: 'inne pobranie',
  other_given: 'inny wpływ',
} as const;

export default {
  other_amount: () => 'Bank podaje inną kwotę.',
  ended_contradicted: () => 'Bank zaprzecza sobie w sprawie zakończonej płatności.',
  no_result: () => 'Bank przez trzy dni nie podał wyniku.',
  not_confirmed: () => 'Bank nie potwierdził tego od 30 dni.',
  return_refused: () => 'Bank odmówił zwrotu.',
  key_missing: () => 'Nie można odszyfrować instrumentu: brakuje klucza sejfu.',
  paid_after_decline: () => 'Bank wypłacił zwrot, który wcześniej odrzucił.',
  not_written: () => 'Nie udało się zapisać wyniku.',
  settled_by_payment: () => 'W międzyczasie przejęła to płatność.',
  refunded_too: () => 'Płatnik dostaje więcej, niż zapłacił: przez zwroty i spór. Ustal, co bank odbierze.',
  came_back: () => 'Bank to wypłacił, a pieniądze wróciły.',
  dispute_unsettled: () =>
    'Agent zatrzymał z tego sporu inną kwotę, niż ponoszą konta, a jego zestawienie nie wyrównało różnicy na czas.',
  dispute_unclaimed: ({ acquirer, dispute, charge }) =>
    `Spór dotyczy obciążenia, za które nie zapłacono żadnemu sprzedawcy: nikt go tu nie ponosi. Zapytaj agenta (${acquirer}) o jego spór ${dispute}, obciążenie ${charge}.`,
  dispute_paid_back: ({ acquirer, dispute, charge }) =>
    `Zwróciliśmy już obciążenie ${charge}, a płatnik kwestionuje je także w banku. Odpowiedz na spór ${dispute} u agenta (${acquirer}): nikt go tu nie ponosi.`,
  return_changed: () => 'Do wysłania jest co innego, niż zdecydowano: uruchom sprawdzanie ksiąg.',
  return_disputed: () =>
    'Nie wysłano tego, bo bank płatnika odbiera te same pieniądze w sporze. Poczekaj na koniec sporu: jeśli zostanie wygrany, pieniądze pójdą same, a jeśli przegrany, zdecyduj, że pieniądze nie przepłynęły.',
  capture_not_booked: ({ bank }) => `Bank pobrał ${bank}; nie ma tego żadna nasza płatność.`,
  refund_not_booked: ({ bank }) => `Bank wypłacił płatnikowi ${bank}, choć nie zlecił tego żaden nasz zwrot.`,
  return_not_booked: ({ bank }) => `Bank ma znowu ${bank} ze zwrotu; nie jest to żaden nasz zwrot.`,
  payout_return_not_booked: ({ bank }) => `Bank ma znowu ${bank} z wypłaty; żadna nasza wypłata tyle nie wynosi.`,
  not_at_bank: ({ kind, ours }) => `W naszych księgach jest ${kinds[kind]} ${ours}; bank tego nie ma.`,
  amounts_differ: ({ kind, bank, ours }) => `Bank ma ${kinds[kind]} ${bank}; w naszych księgach jest ${ours}.`,
  other_charge: ({ bank, charge }) =>
    `Bank wypłacił zwrot ${bank} do innego obciążenia niż nasze (${charge}), innemu płatnikowi.`,
  dispute_other_charge: ({ kind, bank, charge, ours }) =>
    `Wyciąg podaje: ${kinds[kind]} ${bank}, obciążenie ${charge}; nasz spór dotyczy obciążenia ${ours}.`,
  rows_missing: ({ kind, ours }) =>
    `${kinds[kind]} ${ours}: jest w księgach i w banku, ale brakuje wierszy na ten temat.`,
  line_suspended: ({ kind, bank, what }) =>
    `Bank ${kind === 'other_taken' ? 'pobrał' : 'dodał'} ${bank} i nazywa to „${what}”. Kwota czeka na koncie przejściowym, aż powiesz, co to jest.`,
  payout_exceeds: ({ bank, owed }) => `Bank ma wypłatę ${bank}; według naszych ksiąg jest nam winien tylko ${owed}.`,
  line_repeated: ({ kind, bank, once }) =>
    `Wyciąg wymienia więcej niż raz: ${kinds[kind]} ${once}, łącznie ${bank}; porównano jeden raz.`,
  totals_differ: ({ kind, off }) =>
    kind === 'other'
      ? `Konto agenta ma w tym okresie ${off}, które nie należy do żadnej płatności, zwrotu ani wypłaty.`
      : `Sumy ${sums[kind]} różnią się o ${off}, czego nie wyjaśnia żadna różnica.`,
  promised: ({ since }) => `Bank ma to poprawić zgodnie z decyzją z ${since}.`,
  promise_not_kept: ({ kind, bank, ours, since }) =>
    `Bank miał to poprawić zgodnie z decyzją z ${since}, a nadal ma ${kinds[kind]} ${bank}; w naszych księgach jest ${ours}.`,
  item_damaged: () => 'Wiersz tej różnicy jest uszkodzony: uruchom sprawdzanie ksiąg.',
  bank_line_unknown: ({ account, statement, day, amount }) =>
    `Wyciąg ${statement} naszego rachunku (…${account}) ma ${amount} z dnia ${day} i nikt nie wie, z jakiego tytułu. Zobacz: grosz statements waiting.`,
  bank_balance_brought: ({ account, statement, amount }) =>
    `Wyciąg ${statement} naszego rachunku (…${account}) zaczyna się od ${amount}, których nie ma w żadnym wcześniejszym. Zobacz: grosz statements waiting.`,
} satisfies Sentences<typeof parkReasons>;
