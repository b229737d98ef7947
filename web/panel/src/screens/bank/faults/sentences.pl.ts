import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { allocationFaults } from '../../../../../../contract/codes/statements.ts';

export default {
  line_not_waiting: () =>
    'Żadna pozycja o tym identyfikatorze nie czeka na decyzję. Błędnie zdecydowana czeka znów, gdy decyzję się cofnie.',
  payout_unknown: ({ payout }) => `Nie ma wypłaty ${payout}, którą mogłaby być ta pozycja.`,
  payout_has_other_amount: ({ payout, amount, line }) => `Wypłata ${payout} to ${amount}, a z pozycji zostaje ${line}.`,
  payout_arrived: ({ payout }) => `Inna pozycja jest już wypłatą ${payout}.`,
  fee_came: () => 'Pieniądze, które wpłynęły, nie są opłatą banku. Może bank zwraca opłatę.',
  fee_left: () => 'Pieniądze, które wypłynęły, nie są zwrotem opłaty.',
  fee_not_charged: ({ charged, line }) => `Bank pobrał dotąd ${charged}, więc nie zwraca ${line}.`,
  fee_given_back: () => 'Bank zdążył już zwrócić tę opłatę. Najpierw cofnij tamtą decyzję.',
  decision_unknown: () => 'Nikt nie zdecydował tego o tej pozycji.',
  payout_moved_since: ({ payout }) =>
    `Bank przesunął od tego czasu wypłatę ${payout} ponownie. Najpierw cofnij późniejszą decyzję o niej.`,
} satisfies Sentences<typeof allocationFaults>;
