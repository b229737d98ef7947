import type { findings } from '../../../../../../contract/codes/findings.ts';
import type { Sentences } from '../../../../../../contract/codes/message.ts';

const chains = { ledger: 'Księga', audit: 'Dziennik zdarzeń' } as const;
const shares = { payment: 'Płatność', refund: 'Zwrot', 'refund returned': 'Cofnięcie zwrotu' } as const;

export default {
  head_missing: ({ chain, end }) => `${chains[chain]}: brakuje czoła łańcucha; łańcuch kończy się na ${end}.`,
  head_key_missing: ({ chain }) => `${chains[chain]}: czoło łańcucha wskazuje klucz, którego nie ma w VAULT_KEYS.`,
  head_changed: ({ chain }) => `${chains[chain]}: czoło łańcucha zmieniono.`,
  chain_cut_off: ({ chain, head, end }) =>
    `${chains[chain]}: koniec łańcucha odcięto lub zmieniono: jego czołem jest ${head}, a kończy się na ${end}.`,
  chain_ends_before_note: ({ chain, position }) =>
    `${chains[chain]}: łańcuch kończy się przed zanotowanym ${position}: jego koniec odcięto.`,
  chain_differs_from_note: ({ chain, position }) =>
    `${chains[chain]}: to nie jest łańcuch zanotowany przy ${position}: zapisano go od nowa.`,
  note_not_ours: ({ file }) => `Pliku ${file} nie zapisała ta instalacja albo jego klucza nie ma w VAULT_KEYS.`,

  journal_unbalanced: ({ journalId, off }) => `Operacja ${journalId} nie sumuje się do zera: różnica wynosi ${off}.`,
  balance_wrong: ({ account, stored, computed }) =>
    `Saldo ${account} wynosi ${stored}, a jego zapisy dają ${computed}.`,
  journal_outside_chain: ({ journalId }) => `Operacja poza łańcuchem: ${journalId}.`,
  journal_without_entries: ({ journalId }) => `Operacja bez zapisów: ${journalId}.`,
  entry_without_journal: ({ journalId, line }) => `Zapis bez operacji: ${journalId}, wiersz ${line}.`,
  entry_of_unknown_account: ({ journalId, line }) => `Zapis na nieznanym koncie: ${journalId}, wiersz ${line}.`,
  seals_missing: ({ from, to }) => `Brakuje pieczęci od ${from} do ${to}.`,
  seal_breaks_chain: ({ position, journalId }) => `Pieczęć ${position} (operacja ${journalId}) przerywa łańcuch.`,
  journal_missing: ({ journalId, position }) => `Brakuje operacji ${journalId}; zapieczętowano ją jako ${position}.`,
  journal_changed: ({ journalId }) => `Operację ${journalId} zmieniono.`,
  entry_changed: ({ journalId, line }) => `Zapis ${journalId}, wiersz ${line}, zmieniono, usunięto lub dodano.`,

  audit_entry_missing: ({ position }) => `Dziennik zdarzeń: brakuje wpisu ${position}.`,
  audit_entry_changed: ({ position }) => `Dziennik zdarzeń: wpis ${position} zmieniono po zapisaniu.`,

  transactions_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Konto ${merchantId}: od ${from} UTC policzono ${counted} transakcji o statusie ${status}, a jest ich ${there}.`,

  outgoing_misbooked: ({ id, state, paid }) =>
    `Zlecenie zwrotu ${id}: stan ${state}, a jako wypłacone zaksięgowano: ${paid ?? 'nigdy'}.`,

  recurring_mislisted: ({ id }) => `Płatność cykliczna ${id}: listy pokazują ją inaczej, niż jest.`,
  recurring_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Konto ${merchantId}: od ${from} UTC policzono ${counted} płatności cyklicznych o statusie ${status}, a jest ich ${there}.`,

  parts_differ_from_transaction: ({ id, amount, parts }) =>
    `Transakcja marketplace ${id} na kwotę ${amount} ma części o sumie ${parts}.`,
  parts_differ_from_refund: ({ id, amount, fee, parts, partFees }) =>
    `Zwrot ${id} (${amount} i prowizja ${fee}) ma części o sumie ${parts} i ${partFees}.`,
  part_total_wrong: ({ partId, total, refunds }) =>
    `Część ${partId}: suma mówi ${total ?? 'nic'}, a zwroty ${refunds ?? 'nic'}.`,
  product_total_wrong: ({ partId, line, total, refunds }) =>
    `Część ${partId}, produkt ${line}: suma mówi ${total ?? 'nic'}, a zwroty ${refunds ?? 'nic'}.`,
  product_limit_wrong: ({ partId, line, quantity, unitPrice, sold, soldAt }) =>
    `Część ${partId}, produkt ${line}: suma dopuszcza ${quantity} po ${unitPrice}, a sprzedano ${sold ?? 'nic'} po ${soldAt ?? 0}.`,
  products_limit_wrong: ({ partId, worth, limit }) =>
    `Część ${partId}: jej produkty są warte ${worth}, a suma dopuszcza ${limit}.`,
  share_misbooked: ({ kind, source, account, booked, expected }) =>
    `${shares[kind]} ${source}: na ${account} zaksięgowano ${booked}, a powinno być ${expected}.`,

  difference_not_booked: ({ id }) => `Różnica ${id}: tego, co wykryto, nie ma w księgach.`,

  sums_wrong: ({ accountId, byDay, byMove, entries }) =>
    `Sumy panelu dla ${accountId} to ${byDay} według dni i ${byMove} według ruchów, a zapisy dają ${entries}.`,
  verification_failed: () => 'Sprawdzenie się nie powiodło; zobacz dziennik usługi.',
  unworded: ({ text }) => text,
} satisfies Sentences<typeof findings>;
