// The texts of the bank's pages, in the payer's language.

import type { Language } from '../../../contract/languages.ts';

export interface Words {
  readonly bank: string;
  readonly notReal: string;
  readonly titles: Readonly<Record<'card' | 'transfer' | 'onlineWallet', string>>;
  readonly merchant: string;
  readonly amount: string;
  readonly description: string;
  readonly card: string;
  readonly question: string;
  readonly confirm: string;
  readonly refuse: string;
  readonly approved: string;
  readonly declined: string;
  readonly canceled: string;
  readonly back: string;
  /** What the page's script says while the bank cannot be reached. */
  readonly network: { readonly unreachable: string; readonly notSent: string; readonly offline: string };
  readonly unknownTitle: string;
  readonly unknownText: string;
  readonly chooseAgain: string;
  readonly failedTitle: string;
  readonly failedText: string;
}

const english: Words = {
  bank: 'Test bank',
  notReal: 'This is a simulated bank for tests. No real money is charged.',
  titles: {
    card: '3-D Secure: confirm your card payment',
    transfer: 'Confirm your bank transfer',
    onlineWallet: 'Confirm your wallet payment',
  },
  merchant: 'Recipient',
  amount: 'Amount',
  description: 'Description',
  card: 'Card',
  question: 'Do you want to make this payment?',
  confirm: 'Confirm',
  refuse: 'Refuse',
  approved: 'This payment is confirmed.',
  declined: 'This payment was refused.',
  canceled: 'This payment was canceled. You were not charged.',
  back: 'Back to the payment',
  network: {
    unreachable: 'We could not reach the bank. We are checking whether it has your choice.',
    notSent: 'Your choice has not reached the bank. Please choose again: only one choice counts.',
    offline: 'No connection to the bank. This page will continue automatically once it is back.',
  },
  unknownTitle: 'No such payment',
  unknownText: 'There is no payment at this address. Open the link from the shop again.',
  chooseAgain: 'Go back and choose either “Confirm” or “Refuse”.',
  failedTitle: 'That did not work',
  failedText: 'Something went wrong at the test bank. Try again in a moment.',
};

const polish: Words = {
  bank: 'Bank testowy',
  notReal: 'To jest bank testowy. Nie pobieramy tu prawdziwych pieniędzy.',
  titles: {
    card: '3-D Secure: potwierdź płatność kartą',
    transfer: 'Potwierdź przelew',
    onlineWallet: 'Potwierdź płatność portfelem',
  },
  merchant: 'Odbiorca',
  amount: 'Kwota',
  description: 'Opis',
  card: 'Karta',
  question: 'Czy chcesz wykonać tę płatność?',
  confirm: 'Potwierdź',
  refuse: 'Odrzuć',
  approved: 'Ta płatność została potwierdzona.',
  declined: 'Ta płatność została odrzucona.',
  canceled: 'Ta płatność została anulowana. Konto nie zostało obciążone.',
  back: 'Wróć do płatności',
  network: {
    unreachable: 'Nie udało się połączyć z bankiem. Sprawdzamy, czy Twój wybór dotarł.',
    notSent: 'Twój wybór nie dotarł do banku. Wybierz ponownie: liczy się tylko jeden wybór.',
    offline: 'Brak połączenia z bankiem. Gdy połączenie wróci, strona odświeży się sama.',
  },
  unknownTitle: 'Nie ma takiej płatności',
  unknownText: 'Ten adres nie prowadzi do żadnej płatności. Otwórz ponownie link ze sklepu.',
  chooseAgain: 'Wróć i wybierz „Potwierdź” albo „Odrzuć”.',
  failedTitle: 'Coś się nie udało',
  failedText: 'Coś poszło nie tak w banku testowym. Spróbuj ponownie za chwilę.',
};

const german: Words = {
  bank: 'Testbank',
  notReal: 'Das ist eine Testbank. Hier wird kein echtes Geld abgebucht.',
  titles: {
    card: '3-D Secure: Kartenzahlung bestätigen',
    transfer: 'Überweisung bestätigen',
    onlineWallet: 'Wallet-Zahlung bestätigen',
  },
  merchant: 'Empfänger',
  amount: 'Betrag',
  description: 'Verwendungszweck',
  card: 'Karte',
  question: 'Möchten Sie diese Zahlung ausführen?',
  confirm: 'Bestätigen',
  refuse: 'Ablehnen',
  approved: 'Diese Zahlung ist bestätigt.',
  declined: 'Diese Zahlung wurde abgelehnt.',
  canceled: 'Diese Zahlung wurde abgebrochen. Ihr Konto wurde nicht belastet.',
  back: 'Zurück zur Zahlung',
  network: {
    unreachable: 'Die Bank ist nicht erreichbar. Wir prüfen, ob Ihre Auswahl angekommen ist.',
    notSent: 'Ihre Auswahl ist nicht bei der Bank angekommen. Bitte wählen Sie erneut: Nur eine Auswahl zählt.',
    offline: 'Keine Verbindung zur Bank. Sobald sie wieder da ist, geht es hier automatisch weiter.',
  },
  unknownTitle: 'Diese Zahlung gibt es nicht',
  unknownText: 'Diese Adresse führt zu keiner Zahlung. Öffnen Sie den Link aus dem Shop noch einmal.',
  chooseAgain: 'Gehen Sie zurück und wählen Sie „Bestätigen“ oder „Ablehnen“.',
  failedTitle: 'Das hat nicht funktioniert',
  failedText: 'Bei der Testbank ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
};

const ukrainian: Words = {
  bank: 'Тестовий банк',
  notReal: 'Це тестовий банк. Справжні кошти тут не списуються.',
  titles: {
    card: '3-D Secure: підтвердьте оплату карткою',
    transfer: 'Підтвердьте переказ',
    onlineWallet: 'Підтвердьте оплату гаманцем',
  },
  merchant: 'Отримувач',
  amount: 'Сума',
  description: 'Призначення платежу',
  card: 'Картка',
  question: 'Виконати цей платіж?',
  confirm: 'Підтвердити',
  refuse: 'Відхилити',
  approved: 'Цей платіж підтверджено.',
  declined: 'Цей платіж відхилено.',
  canceled: 'Цей платіж скасовано. Кошти не списано.',
  back: 'Повернутися до оплати',
  network: {
    unreachable: 'Не вдалося зв’язатися з банком. Перевіряємо, чи надійшов ваш вибір.',
    notSent: 'Ваш вибір не надійшов до банку. Виберіть ще раз: враховується лише один вибір.',
    offline: 'Немає зв’язку з банком. Щойно він відновиться, сторінка оновиться сама.',
  },
  unknownTitle: 'Такого платежу немає',
  unknownText: 'Ця адреса не веде до жодного платежу. Відкрийте посилання з магазину ще раз.',
  chooseAgain: 'Поверніться та виберіть «Підтвердити» або «Відхилити».',
  failedTitle: 'Не вдалося',
  failedText: 'У тестовому банку сталася помилка. Спробуйте ще раз трохи згодом.',
};

const french: Words = {
  bank: 'Banque de test',
  notReal: 'Ceci est une banque de test. Aucun argent réel n’est débité.',
  titles: {
    card: '3-D Secure\u00a0: confirmez votre paiement par carte',
    transfer: 'Confirmez votre virement',
    onlineWallet: 'Confirmez votre paiement avec le portefeuille',
  },
  merchant: 'Bénéficiaire',
  amount: 'Montant',
  description: 'Objet',
  card: 'Carte',
  question: 'Voulez-vous effectuer ce paiement\u00a0?',
  confirm: 'Confirmer',
  refuse: 'Refuser',
  approved: 'Ce paiement est confirmé.',
  declined: 'Ce paiement a été refusé.',
  canceled: 'Ce paiement a été annulé. Aucun montant n’a été débité.',
  back: 'Retour au paiement',
  network: {
    unreachable: 'La banque est injoignable. Nous vérifions si votre choix lui est parvenu.',
    notSent: 'Votre choix n’est pas parvenu à la banque. Choisissez de nouveau\u00a0: un seul choix compte.',
    offline: 'Pas de connexion à la banque. Cette page reprendra automatiquement dès son retour.',
  },
  unknownTitle: 'Ce paiement n’existe pas',
  unknownText: 'Cette adresse ne mène à aucun paiement. Ouvrez de nouveau le lien de la boutique.',
  chooseAgain: 'Revenez en arrière et choisissez «\u00a0Confirmer\u00a0» ou «\u00a0Refuser\u00a0».',
  failedTitle: 'L’opération a échoué',
  failedText: 'Une erreur s’est produite dans la banque de test. Réessayez dans un instant.',
};

const italian: Words = {
  bank: 'Banca di prova',
  notReal: 'Questa è una banca di prova. Non viene addebitato denaro reale.',
  titles: {
    card: '3-D Secure: conferma il pagamento con carta',
    transfer: 'Conferma il bonifico',
    onlineWallet: 'Conferma il pagamento con il wallet',
  },
  merchant: 'Beneficiario',
  amount: 'Importo',
  description: 'Causale',
  card: 'Carta',
  question: 'Vuoi effettuare questo pagamento?',
  confirm: 'Conferma',
  refuse: 'Rifiuta',
  approved: 'Questo pagamento è confermato.',
  declined: 'Questo pagamento è stato rifiutato.',
  canceled: 'Questo pagamento è stato annullato. Non ti è stato addebitato nulla.',
  back: 'Torna al pagamento',
  network: {
    unreachable: 'Non riusciamo a raggiungere la banca. Stiamo verificando se la tua scelta è arrivata.',
    notSent: 'La tua scelta non è arrivata alla banca. Scegli di nuovo: conta una sola scelta.',
    offline: 'Nessuna connessione alla banca. Appena torna, questa pagina riprende da sola.',
  },
  unknownTitle: 'Questo pagamento non esiste',
  unknownText: 'Questo indirizzo non porta a nessun pagamento. Apri di nuovo il link del negozio.',
  chooseAgain: 'Torna indietro e scegli «Conferma» o «Rifiuta».',
  failedTitle: 'Qualcosa non ha funzionato',
  failedText: 'Si è verificato un errore nella banca di prova. Riprova tra un momento.',
};

const spanish: Words = {
  bank: 'Banco de prueba',
  notReal: 'Este es un banco de prueba. No se cobra dinero real.',
  titles: {
    card: '3-D Secure: confirme su pago con tarjeta',
    transfer: 'Confirme su transferencia',
    onlineWallet: 'Confirme su pago con la cartera',
  },
  merchant: 'Beneficiario',
  amount: 'Importe',
  description: 'Concepto',
  card: 'Tarjeta',
  question: '¿Desea realizar este pago?',
  confirm: 'Confirmar',
  refuse: 'Rechazar',
  approved: 'Este pago está confirmado.',
  declined: 'Este pago ha sido rechazado.',
  canceled: 'Este pago ha sido cancelado. No se le ha cobrado nada.',
  back: 'Volver al pago',
  network: {
    unreachable: 'No hemos podido conectar con el banco. Estamos comprobando si ha recibido su elección.',
    notSent: 'Su elección no ha llegado al banco. Elija de nuevo: solo cuenta una elección.',
    offline: 'Sin conexión con el banco. Esta página continuará automáticamente en cuanto vuelva.',
  },
  unknownTitle: 'Este pago no existe',
  unknownText: 'Esta dirección no lleva a ningún pago. Abra de nuevo el enlace de la tienda.',
  chooseAgain: 'Vuelva atrás y elija «Confirmar» o «Rechazar».',
  failedTitle: 'No se ha podido completar',
  failedText: 'Se ha producido un error en el banco de prueba. Inténtelo de nuevo en un momento.',
};

const russian: Words = {
  bank: 'Тестовый банк',
  notReal: 'Это тестовый банк. Настоящие деньги здесь не списываются.',
  titles: {
    card: '3-D Secure: подтвердите оплату картой',
    transfer: 'Подтвердите перевод',
    onlineWallet: 'Подтвердите оплату кошельком',
  },
  merchant: 'Получатель',
  amount: 'Сумма',
  description: 'Назначение платежа',
  card: 'Карта',
  question: 'Выполнить этот платёж?',
  confirm: 'Подтвердить',
  refuse: 'Отклонить',
  approved: 'Этот платёж подтверждён.',
  declined: 'Этот платёж отклонён.',
  canceled: 'Этот платёж отменён. Деньги не списаны.',
  back: 'Вернуться к оплате',
  network: {
    unreachable: 'Не удалось связаться с банком. Проверяем, дошёл ли ваш выбор.',
    notSent: 'Ваш выбор не дошёл до банка. Выберите ещё раз: учитывается только один выбор.',
    offline: 'Нет связи с банком. Как только она появится, страница обновится сама.',
  },
  unknownTitle: 'Такого платежа нет',
  unknownText: 'По этому адресу нет платежа. Откройте ссылку из магазина ещё раз.',
  chooseAgain: 'Вернитесь и выберите «Подтвердить» или «Отклонить».',
  failedTitle: 'Не получилось',
  failedText: 'В тестовом банке произошла ошибка. Попробуйте ещё раз чуть позже.',
};

export const words: Readonly<Record<Language, Words>> = {
  en: english,
  pl: polish,
  de: german,
  uk: ukrainian,
  fr: french,
  it: italian,
  es: spanish,
  ru: russian,
};
