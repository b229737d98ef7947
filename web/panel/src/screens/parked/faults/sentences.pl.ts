import type { Sentences } from '../../../../../../contract/codes/message.ts';
import type { decisionFaults } from '../../../../../../contract/codes/parking.ts';

const corrected = (ours: string) => `${ours}, gdy bank to poprawi.`;

export default {
  not_requested: ({ asked, named }) =>
    `Żądano ${asked}, a nie ${named}. Niech bank przesunie różnicę i wtedy zatwierdź ${asked}, albo niech cofnie całość i wtedy wybierz, że pieniędzy nie przesunięto.`,
  not_about: ({ amount, named }) => `Chodzi o ${amount}, a nie o ${named}.`,
  moved_elsewhere: ({ bank }) => `Bank przesunął ${bank}. Zatwierdź to, gdy bank to naprawi.`,
  agreed_on: ({ amount }) => `Bank i księgi zgadzają się co do ${amount}. Przywróć wiersze i wtedy zatwierdź.`,
  payout_differs: ({ ours }) =>
    `Wybierz, że pieniędzy nie przesunięto, jeśli nie wpłynęły na konto, albo zatwierdź ${ours}, gdy bank znów to wymieni.`,
  amounts_differ: ({ bank, ours }) => `Zatwierdź ${bank}, aby zaksięgować różnicę, albo ${corrected(ours)}`,
  settled_by_payment: () => 'W międzyczasie przejęła to płatność: uruchom porównanie z bankiem, które to zamknie.',
  line_repeated: ({ bank, once }) =>
    `Zatwierdź ${once}, jeśli pieniądze przesunięto raz, albo ${bank}, jeśli tyle razy, ile mówi wyciąg, a bank ma to poprawić.`,
  totals_differ: ({ off }) => `Ustal, skąd bierze się ${off}, i wtedy zatwierdź ${off}.`,
  bank_line_elsewhere: () =>
    'To pozycja naszego wyciągu bankowego: powiedz, co to jest, poleceniem grosz statements decide.',
} satisfies Sentences<typeof decisionFaults>;
