import type { findings } from '../../../../../../contract/codes/findings.ts';
import type { Sentences } from '../../../../../../contract/codes/message.ts';

const chains = {
  ledger: 'Księga',
  audit: 'Dziennik zdarzeń',
  reconciliation: 'Porównanie z bankiem',
  verification: 'Sprawdzenia ksiąg',
} as const;
const reconciled = {
  run: 'Porównanie z bankiem',
  difference: 'Różnica',
  payout: 'Wypłata',
  line: 'Pozycja wyciągu',
} as const;

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

  checkpoint_changed: () =>
    'Księga: zmieniono to, co zanotowano przy ostatnim poprawnym sprawdzeniu, albo jego klucza nie ma w VAULT_KEYS.',
  chain_differs_from_checkpoint: ({ position }) =>
    `Księga: to nie jest łańcuch, który był poprawny przy ${position}: zapisano go od nowa lub odcięto.`,
  journal_unbalanced: ({ journalId, off }) => `Operacja ${journalId} nie sumuje się do zera: różnica wynosi ${off}.`,
  balance_wrong: ({ account, stored, computed }) =>
    `Saldo ${account} wynosi ${stored}, a jego zapisy dają ${computed}.`,
  account_wrong: ({ account }) => `Księga ma konto niezgodne z planem kont: ${account}.`,
  account_missing: ({ account }) => `W księdze brakuje konta ${account}.`,
  account_sum_wrong: ({ account, booked, expected }) =>
    `Operacje płatności i zwrotów dają ${booked} na ${account}, a z obciążeń i zwrotów wynika ${expected}.`,
  journal_outside_chain: ({ journalId }) => `Operacja poza łańcuchem: ${journalId}.`,
  journal_not_sealed: ({ journalId, postedAt }) =>
    `Operacja ${journalId} z ${postedAt} wciąż czeka na zapieczętowanie.`,
  journal_of_unknown_kind: ({ journalId, kind }) =>
    `Operacja ${journalId} jest rodzaju, którego nikt nie księguje: ${kind}.`,
  journal_unfounded: ({ journalId, kind, source }) =>
    `Operacja ${journalId} (${kind}, ${source}) różni się od swojego wiersza albo nie ma takiego wiersza.`,
  journal_id_differs: ({ journalId, postedAt }) =>
    `Operacja ${journalId} ma identyfikator z innego czasu niż ${postedAt}.`,
  journal_backdated: ({ journalId, postedAt }) =>
    `Operacja ${journalId} ma datę ${postedAt}, a zapieczętowano ją po późniejszych.`,
  journal_sealed_late: ({ journalId, postedAt }) =>
    `Operacja ${journalId} ma datę ${postedAt}, ale zapisano ją po późniejszym sprawdzeniu ksiąg.`,
  journal_postdated: ({ journalId, postedAt }) =>
    `Operacja ${journalId} ma datę ${postedAt}, która jeszcze nie nadeszła.`,
  journal_without_entries: ({ journalId }) => `Operacja bez zapisów: ${journalId}.`,
  entry_without_journal: ({ journalId, line }) => `Zapis bez operacji: ${journalId}, wiersz ${line}.`,
  seals_missing: ({ from, to }) => `Brakuje pieczęci od ${from} do ${to}.`,
  seal_breaks_chain: ({ position, journalId }) => `Pieczęć ${position} (operacja ${journalId}) przerywa łańcuch.`,
  journal_missing: ({ journalId, position }) => `Brakuje operacji ${journalId}; zapieczętowano ją jako ${position}.`,
  journal_changed: ({ journalId }) => `Operację ${journalId} zmieniono.`,
  entry_changed: ({ journalId, line }) => `Zapis ${journalId}, wiersz ${line}, zmieniono, usunięto lub dodano.`,

  audit_entry_missing: ({ position }) => `Dziennik zdarzeń: brakuje wpisu ${position}.`,
  audit_entry_changed: ({ position }) => `Dziennik zdarzeń: wpis ${position} zmieniono po zapisaniu.`,

  fees_changed: ({ id }) => `Konto ${id}: jego opłaty zmieniono poza usługą albo klucza nie ma w VAULT_KEYS.`,

  payment_missing: ({ id, status }) => `Transakcja ${id}: status ${status}, ale bez udanej płatności.`,
  payment_not_shown: ({ id, status }) => `Transakcja ${id}: płatność się udała, ale status to ${status}.`,
  payment_misbooked: ({ id, paid, booked }) => `Transakcja ${id}: zapłacono ${paid}, a zaksięgowano ${booked}.`,
  transaction_times_differ: ({ id, status }) =>
    `Transakcja ${id}: status ${status}, ale jej czasy nie są czasami płatności lub anulowania.`,
  attempts_miscounted: ({ id, counted, there }) => `Transakcja ${id}: liczy ${counted} prób, a jest ich ${there}.`,
  payment_not_told: ({ id }) => `Transakcja ${id}: zapłacona, ale nie mówi o tym żadne zdarzenie.`,
  payment_told_falsely: ({ id, status }) =>
    `Transakcja ${id}: zdarzenie mówi, że jest zapłacona, a jej status to ${status}.`,
  transactions_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Konto ${merchantId}: od ${from} UTC policzono ${counted} transakcji o statusie ${status}, a jest ich ${there}.`,

  outgoing_misbooked: ({ id, state, journals }) =>
    `Zlecenie zwrotu ${id}: stan ${state}, a liczba operacji mówiących o wypłacie to ${journals}.`,
  outgoing_alone: ({ id }) => `Zlecenie zwrotu ${id}: nie ma zwrotu, którego dotyczy.`,
  outgoing_unscheduled: ({ id, state }) => `Zlecenie zwrotu ${id}: stan ${state}, ale nikt by go nie wysłał.`,

  recurring_iterations_gap: ({ id }) => `Płatność cykliczna ${id}: w jej okresach jest luka.`,
  recurring_attempts_gap: ({ id, iteration }) => `Płatność cykliczna ${id}: w próbach okresu ${iteration} jest luka.`,
  recurring_iteration_twice: ({ id, iteration }) =>
    `Płatność cykliczna ${id}: okres ${iteration} ma dwie próby otwarte lub udane.`,
  recurring_unpaid_passed: ({ id, iteration }) =>
    `Płatność cykliczna ${id}: okresu ${iteration} nie opłacono, a zaczął się następny.`,
  recurring_behind_attempts: ({ id, iteration, attempts }) =>
    `Płatność cykliczna ${id}: jest w okresie ${iteration}, ale ma próby okresu ${attempts}.`,
  recurring_earlier_unpaid: ({ id, iteration }) =>
    `Płatność cykliczna ${id}: jest w okresie ${iteration}, ale wcześniejszego nie opłacono.`,
  recurring_attempts_miscounted: ({ id, counted, iteration, there }) =>
    `Płatność cykliczna ${id}: liczy ${counted} prób okresu ${iteration}, a jest ich ${there}.`,
  recurring_current_paid: ({ id }) => `Płatność cykliczna ${id}: jej bieżący okres już opłacono.`,
  recurring_retries_miscounted: ({ id, counted, iteration, there }) =>
    `Płatność cykliczna ${id}: liczy ${counted} zaplanowanych ponowień okresu ${iteration}, a jest ich ${there}.`,
  recurring_manual_retries: ({ id, iteration }) =>
    `Płatność cykliczna ${id}: okres ${iteration} ma za dużo ręcznych ponowień.`,
  recurring_live_differs: ({ id, recorded, found }) =>
    `Płatność cykliczna ${id}: jako próbę w toku zapisano ${recorded ?? 'brak'}, a jest nią ${found ?? 'brak'}.`,
  recurring_last_differs: ({ id, recorded, found }) =>
    `Płatność cykliczna ${id}: ostatnią próbę zapisano jako ${recorded ?? 'brak'}, a jest ${found ?? 'brak'}.`,
  recurring_active_unscheduled: ({ id }) =>
    `Płatność cykliczna ${id}: jest aktywna, ale nic nie zaplanowano albo obciążenie jest zarazem zaplanowane i w toku.`,
  recurring_ended_due: ({ id, status }) =>
    `Płatność cykliczna ${id}: ma status ${status}, ale obciążenie czeka na wykonanie.`,
  recurring_finished_early: ({ id, charges, total }) =>
    `Płatność cykliczna ${id}: zakończyła się po ${charges} z ${total ?? 'nieograniczonej liczby'} obciążeń.`,
  recurring_failed_otherwise: ({ id }) =>
    `Płatność cykliczna ${id}: ma status nieudanej, choć ostatnia próba nim nie jest.`,
  charge_attempt_missing: ({ id }) => `Obciążenie ${id}: transakcja bez próby.`,
  charge_transaction_missing: ({ id }) => `Obciążenie ${id}: próba bez transakcji.`,
  charge_transaction_differs: ({ id }) =>
    `Obciążenie ${id}: jej transakcja ma inną kwotę lub konto niż płatność cykliczna.`,
  charge_status_differs: ({ id, state, status }) =>
    `Obciążenie ${id}: próba ma status ${state}, a jej transakcja ${status}.`,
  charge_differs: ({ id }) =>
    `Obciążenie ${id}: jego transakcja ma inną kwotę, walutę lub innego sprzedawcę albo jej nie ma.`,
  charge_unscheduled: ({ id, state }) => `Obciążenie ${id}: stan ${state}, ale nikt by o nie nie zapytał.`,
  surplus_not_returned: ({ id }) => `Obciążenie ${id}: zaksięgowane jako nadwyżka, ale nic nie wraca do płatnika.`,
  surplus_charge_differs: ({ id }) => `Zwrot ${id} do płatnika: różni się od tego, co pobrało jego obciążenie.`,
  provider_charge_missing: ({ id }) => `Obciążenie ${id}: brak zapisu, o co poproszono dostawcę.`,
  provider_charge_differs: ({ id }) =>
    `Obciążenie ${id}: to, o co poproszono dostawcę, ma inną kwotę, walutę lub innego sprzedawcę.`,
  provider_refund_missing: ({ id }) => `Zwrot ${id} do płatnika: brak zapisu, o co poproszono dostawcę.`,
  provider_refund_differs: ({ id }) =>
    `Zwrot ${id} do płatnika: to, o co poproszono dostawcę, ma inne obciążenie, kwotę lub walutę.`,
  charge_misbooked: ({ id, state, journals }) =>
    `Obciążenie ${id}: stan ${state}, a jego operacje to: ${journals || 'brak'}.`,
  recurring_plan_changed: ({ id }) =>
    `Płatność cykliczna ${id}: jej kwotę lub harmonogram zmieniono poza usługą albo klucza nie ma w VAULT_KEYS.`,
  recurring_misscheduled: ({ id, due }) =>
    `Płatność cykliczna ${id}: termin następnego obciążenia (${due ?? 'brak'}) nie wynika z jej harmonogramu.`,
  recurring_mislisted: ({ id }) => `Płatność cykliczna ${id}: listy pokazują ją inaczej, niż jest.`,
  recurring_miscounted: ({ merchantId, counted, from, status, there }) =>
    `Konto ${merchantId}: od ${from} UTC policzono ${counted} płatności cyklicznych o statusie ${status}, a jest ich ${there}.`,

  refund_total_missing: ({ id }) => `Zwroty transakcji ${id}: brakuje sumy.`,
  refund_total_alone: ({ id }) => `Zwroty transakcji ${id}: suma bez zwrotów.`,
  refund_total_wrong: ({ id, total, refunds }) => `Zwroty transakcji ${id}: suma mówi ${total}, a zwroty ${refunds}.`,
  refund_late_total_wrong: ({ id, total, refunds }) =>
    `Zwroty transakcji ${id}: według sumy po czasie wypłacono ${total}, według zwrotów ${refunds}.`,
  refunded_too_much: ({ id, refunded, paid }) => `Zwroty transakcji ${id}: zwrócono ${refunded} z ${paid} zapłaconych.`,
  refunded_too_little: ({ id, refunded }) =>
    `Zwroty transakcji ${id}: status „refund”, ale zwrócono tylko ${refunded}.`,
  full_refunds_wrong: ({ id, status, full }) =>
    `Zwroty transakcji ${id}: status ${status} przy ${full} pełnych zwrotach.`,
  refund_differs: ({ id }) =>
    `Zwrot ${id}: jego transakcja ma innego sprzedawcę lub walutę, nie jest zapłacona albo jej nie ma.`,
  refund_misbooked: ({ id, status, journals }) =>
    `Zwrot ${id}: status ${status}, a jego operacje to: ${journals || 'brak'}.`,
  dispute_differs: ({ id }) =>
    `Spór ${id}: jego obciążenia brakuje, nie jest zapłacone albo dotyczy innej płatności lub innego agenta rozliczeniowego.`,
  dispute_steps_differ: ({ id }) => `Spór ${id}: nie jest taki, jak po ostatnim kroku, albo brakuje kroków.`,
  dispute_borne_otherwise: ({ id, borne, disputed }) =>
    `Spór ${id}: konta ponoszą ${borne}, a kwota sporna to ${disputed}.`,
  dispute_unclaimed_differs: ({ id }) =>
    `Spór ${id} o obciążenie, którego nikt nie ma: ponosimy co innego, niż zdecydowano, albo brakuje sporu po jego przejęciu.`,
  dispute_line_unheard: ({ id }) => `Pozycja wyciągu ${id} dotyczy sporu, którego brakuje.`,
  dispute_of_other_charge: ({ id, charge, named }) =>
    `Pozycja wyciągu ${id} dotyczy obciążenia ${named}, a jej spór obciążenia ${charge}, i nie zapytano o to operatora.`,
  dispute_borne_by_others: ({ id }) => `Spór ${id}: część ponosi konto, które z tej płatności nic nie otrzymało.`,
  dispute_shared_otherwise: ({ id }) =>
    `Spór ${id}: konto ponosi inną część sporu, niż ma w płatności, albo któryś krok przeniósł pieniądze między kontami.`,
  dispute_refunded_too: ({ id }) =>
    `Spór ${id}: ze zwrotów i sporów płatnik dostaje razem więcej, niż zapłacił, a żaden operator o tym nie wie.`,
  dispute_unsettled: ({ id, borne, moved }) =>
    `Spór ${id}: konta ponoszą ${borne}, a agent rozliczeniowy zatrzymał ${moved}; jego zestawienie powinno już było wyrównać różnicę.`,
  dispute_misbooked: ({ id }) => `Spór ${id}: krok nie ma zapisu w księdze albo ma taki, którego mieć nie powinien.`,

  payout_account_changed: ({ id }) =>
    `Rachunek bankowy ${id} do wypłat zmieniono poza usługą albo jego klucza nie ma w VAULT_KEYS.`,
  payout_terms_changed: ({ id }) =>
    `Konto ${id}: zasady wypłat zmieniono poza usługą albo ich klucza nie ma w VAULT_KEYS.`,
  payout_block_changed: ({ id }) => `Blokadę wypłat ${id} zmieniono poza usługą albo jej klucza nie ma w VAULT_KEYS.`,
  payout_block_differs: ({ accountId }) =>
    `Konto ${accountId}: zasady i historia nie zgadzają się co do tego, czy wypłaty są zablokowane.`,
  payout_block_forgotten: ({ accountId, email }) =>
    `Konto ${accountId}: dziennik zdarzeń ma blokadę albo odblokowanie wypłat przez ${email}, których nie ma w historii.`,
  payout_rows_differ: ({ table }) =>
    `Wypłaty: wiersze tabeli ${table} usunięto, dodano albo przywrócono do dawnej postaci poza usługą.`,
  payout_booked_otherwise: ({ id, state, journals }) =>
    `Wypłata ${id} ma stan ${state}, a jej zapisy w księdze to ${journals}.`,
  payout_not_allowed: ({ id }) =>
    `Wypłatę ${id} utworzono albo zatwierdzono, choć jej rachunek nie był zweryfikowany, był wstrzymany lub zastąpiony, albo wypłaty były zablokowane.`,
  payout_to_other_account: ({ id }) => `Wypłata ${id} idzie na inny numer lub innego posiadacza niż jej rachunek.`,
  payout_run_differs: ({ id, payouts, total }) => `Przebieg wypłat ${id}: są w nim ${payouts} wypłaty na ${total}.`,
  payout_transit_differs: ({ account, held, open }) =>
    `Konto ${account}: według księgi w wypłatach jest ${held}, a otwarte wypłaty to ${open}.`,
  refunds_miscounted: ({ merchantId, counted, there }) =>
    `Konto ${merchantId}: policzono zwrotów: ${counted ?? 'brak'}, a jest ich: ${there ?? 'brak'}, albo ich numery mają luki.`,
  batch_missing: ({ id }) => `Paczki ${id} nie ma, choć ma ona wypłaty albo plik.`,
  batch_sums_differ: ({ id, payouts, total }) =>
    `Paczka ${id}: liczba wypłat w niej to ${payouts}, a suma ${total}; podpisano co innego.`,
  batch_payouts_differ: ({ id, state }) => `Paczka ${id} ma stan ${state}, a jej wypłaty mają inne stany.`,
  batch_signed_by_one: ({ id }) => `Paczka ${id}: oba podpisy złożyła jedna osoba.`,
  batch_not_signed: ({ id }) =>
    `Paczka ${id}: podpis nie jest nasz albo jego klucza nie ma w VAULT_KEYS. Nie wysyłaj jej pliku.`,
  batch_altered: ({ id }) => `Paczka ${id}: jej wypłaty nie są tymi, które podpisano. Nie wysyłaj jej pliku.`,
  batch_file_missing: ({ id }) => `Paczka ${id}: brakuje pliku lub pierwszego odbiorcy albo nie powinno ich być.`,
  payout_file_changed: ({ id }) => `Plik przelewów ${id}: jego bajty nie są tymi, które utworzono.`,
  payout_file_differs: ({ id, payout }) =>
    payout === null
      ? `Plik przelewów ${id} ma przelewy, których nie ma w jego paczce.`
      : `Plik przelewów ${id}: nie ma w nim wypłaty ${payout} albo ma ona inną kwotę lub numer.`,
  payout_file_number_missing: ({ account, files, last }) =>
    `Pliki przelewów z naszego rachunku kończącego się na ${account}: liczba plików to ${files}, a ostatni ma numer ${last}.`,
  refund_outgoing_missing: ({ id }) => `Zwrot ${id}: nie ma zlecenia wypłaty.`,
  refund_outgoing_differs: ({ id, status, outgoing }) =>
    `Zwrot ${id}: status ${status}, a jego zlecenie wypłaty ma stan ${outgoing}.`,
  refund_sent_otherwise: ({ id }) => `Zwrot ${id}: do banku trafia inna kwota, waluta, sprzedawca lub obciążenie.`,

  event_not_numbered: ({ id }) => `Zdarzenie ${id}: nie ma pozycji i na nią nie czeka.`,
  event_numbered_for_another: ({ id }) => `Zdarzenie ${id}: jego pozycja należy do innego konta.`,
  event_not_delivered: ({ id }) => `Zdarzenie ${id}: ma adres bez doręczenia albo odwrotnie.`,
  event_positions_gap: ({ last, count }) => `Pozycje zdarzeń sięgają ${last}, a jest ich ${count}.`,
  delivery_alone: ({ id }) => `Doręczenie bez zdarzenia: ${id}.`,
  delivery_differs: ({ id }) => `Doręczenie ${id}: należy do innego konta niż jego zdarzenie.`,
  delivery_forgotten: ({ id }) => `Doręczenie ${id}: oczekuje, ale nikt by go nie wykonał.`,

  part_changed: ({ partId }) =>
    `Część ${partId}: jej kwoty lub produkty zmieniono poza usługą albo klucza nie ma w VAULT_KEYS.`,
  part_alone: ({ partId }) => `Część ${partId}: nie ma transakcji, do której należy.`,
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

  reconciliation_record_missing: ({ position }) => `Porównanie z bankiem: brakuje zapisu ${position} łańcucha.`,
  reconciliation_record_changed: ({ position }) => `Porównanie z bankiem: zapis ${position} zmieniono po zapisaniu.`,
  reconciliation_row_changed: ({ kind, id }) => `${reconciled[kind]} ${id}: wiersz różni się od ostatniego zapisu.`,
  reconciliation_row_missing: ({ kind, id }) => `${reconciled[kind]} ${id}: jest zapis, ale brakuje wiersza.`,
  acquirer_never_compared: ({ acquirer }) =>
    `W księgach jest agent rozliczeniowy ${acquirer}, którego nie ma w ustawieniach i którego zestawienia nigdy nie porównano.`,
  acquirer_not_compared: ({ acquirer }) =>
    `Agenta rozliczeniowego ${acquirer} nie ma już w ustawieniach, a w księgach są płatności późniejsze niż jego ostatnie porównane zestawienie.`,
  reconciliation_stuck: ({ id, since }) =>
    `Porównanie ${id} zaczęło się ${since} i nie skończyło albo jest zajęte na dłużej, niż zajmuje je jakikolwiek proces: uruchom grosz reconcile.`,
  return_not_decided: ({ id, amount, decided }) =>
    `Zwrot wychodzący ${id} oddaje ${amount}, a zdecydowano ${decided ?? 'nic'}.`,
  difference_misbooked: ({ id, expected, booked }) =>
    `Zapis ${id} różnicy przesunął ${expected}, a zaksięgowano ${booked ?? 'nic'}.`,
  suspense_differs: ({ id, held, waiting }) =>
    `Pozycja wyciągu ${id} ma ${held} na koncie przejściowym, a na decyzję czeka ${waiting}.`,
  statement_notes_differ: ({ acquirer }) =>
    `Zapisane pozycje wyciągów ${acquirer} nie są tymi, które odczytano: jakaś została zmieniona, usunięta albo dopisana, albo w VAULT_KEYS brakuje klucza.`,
  line_misbooked: ({ id, taken, booked }) => `Pozycja wyciągu ${id} wynosi ${taken}, a zaksięgowano ${booked}.`,
  payout_misbooked: ({ id, paid, booked }) => `Wypłata ${id} wynosi ${paid}, a zaksięgowano ${booked ?? 'nic'}.`,
  difference_not_returning: ({ id }) => `Różnica ${id} wraca do płatnika, ale nic nie jest wysyłane.`,
  return_without_difference: ({ id }) => `Zwrot wychodzący ${id} nie należy do różnicy, której dotyczy.`,

  price_changed: ({ id }) => `Cena ${id} nie jest taka, jaką ustalono, albo w VAULT_KEYS brakuje klucza.`,
  price_list_changed: ({ accountId }) => `Konto ${accountId} nie dostało cennika, który ma.`,
  own_price_differs: ({ id }) => `Opłaty w ustawieniach konta ${id} nie są jego ostatnimi cenami.`,
  fee_differs_from_price: ({ id }) => `Opłata od ${id} nie odpowiada cenie, którą wskazuje.`,
  settlement_gap: ({ id }) => `Rozliczenie ${id} nie zaczyna się tam, gdzie skończyło się poprzednie.`,
  settlement_differs: ({ id }) => `Rozliczenie ${id} nie jest sumą swoich pozycji.`,
  settlement_without_payout: ({ id }) => `Ostatnia pozycja rozliczenia ${id} nie jest wypłatą, którą ono wyjaśnia.`,
  settlement_end_differs: ({ accountId }) =>
    `Brakuje ostatniego rozliczenia konta ${accountId} albo następne zaczęłoby się gdzie indziej.`,
  settlement_overdue: ({ payoutId }) => `Wypłata ${payoutId} od ponad godziny nie ma rozliczenia.`,
  settlement_missing: ({ payoutId }) => `Wypłata ${payoutId} nie ma rozliczenia i na nie nie czeka.`,
  settlement_month_missing: ({ accountId, month }) =>
    `Konto ${accountId} nie ma rozliczenia tego, co zaksięgowano przed ${month}.`,
  settlement_month_ahead: ({ month }) =>
    `Rozliczenia miesięczne mają być gotowe do ${month}, choć ten miesiąc się nie zaczął.`,
  bank_statement_differs: ({ id }) =>
    `Wyciąg bankowy ${id}: nie jest dalszym ciągiem poprzedniego albo jego pozycje nie są takie, jak podaje.`,
  bank_line_misbooked: ({ id }) =>
    `Pozycja ${id} wyciągu: nie ma swojego księgowania, ma inne albo pozostało z niej co innego, niż zdecydowano.`,
  bank_payout_differs: ({ payout, bank, booked }) =>
    `Wypłata agenta ${payout}: w naszym banku jest ${bank}, a w księgach ${booked}.`,
  sums_wrong: ({ accountId, byDay, byMove, entries }) =>
    `Sumy panelu dla ${accountId} to ${byDay} według dni i ${byMove} według ruchów, a zapisy dają ${entries}.`,
  days_wrong: ({ accountId }) => `Dni panelu dla ${accountId} nie są sumami jego ruchów.`,
  move_wrong: ({ accountId, journalId }) =>
    `Ruch panelu dla ${accountId} z operacji ${journalId} ma inny obrót lub czas albo nie ma takiej operacji.`,
  search_differs: ({ id }) =>
    `Transakcja ${id} ma inną kwotę lub inne konto niż wtedy, gdy panel odczytał ją po raz pierwszy.`,
  verification_failed: () => 'Sprawdzenie się nie powiodło; zobacz dziennik usługi.',
  verify_run_changed: ({ id }) =>
    `Sprawdzenie ${id} zmieniono lub podrobiono, albo ma datę z przyszłości, albo w VAULT_KEYS brakuje jego klucza.`,
  verify_run_missing: ({ position }) => `Usunięto sprawdzenie numer ${position}.`,
  part_not_verified: ({ part }) =>
    `Wiersza w części ${part} nie da się odczytać, więc nie została sprawdzona; zobacz dziennik usługi.`,
} satisfies Sentences<typeof findings>;
