// Texts of the mail that confirms a payment, in every language that a transaction may have.

import type { languages } from '../../contract/languages.ts';

export interface MailWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly intro: (amount: string, merchant: string) => string;
  readonly amount: string;
  readonly merchant: string;
  readonly date: string;
  readonly keep: string;
}

const pl: MailWords = {
  subject: (amount, merchant) => `Potwierdzenie płatności ${amount} dla sprzedawcy ${merchant}`,
  intro: (amount, merchant) => `Potwierdzamy Twoją płatność ${amount} dla sprzedawcy ${merchant}.`,
  amount: 'Kwota',
  merchant: 'Odbiorca',
  date: 'Data płatności',
  keep: 'Zachowaj tę wiadomość jako potwierdzenie.',
};

const en: MailWords = {
  subject: (amount, merchant) => `Payment of ${amount} to ${merchant} confirmed`,
  intro: (amount, merchant) => `We confirm your payment of ${amount} to ${merchant}.`,
  amount: 'Amount',
  merchant: 'Recipient',
  date: 'Paid on',
  keep: 'Please keep this message as your confirmation.',
};

const de: MailWords = {
  subject: (amount, merchant) => `Zahlung von ${amount} an ${merchant} bestätigt`,
  intro: (amount, merchant) => `wir bestätigen Ihre Zahlung von ${amount} an ${merchant}.`,
  amount: 'Betrag',
  merchant: 'Empfänger',
  date: 'Bezahlt am',
  keep: 'Bitte bewahren Sie diese Nachricht als Bestätigung auf.',
};

const uk: MailWords = {
  subject: (amount, merchant) => `Підтвердження платежу ${amount} на користь «${merchant}»`,
  intro: (amount, merchant) => `Підтверджуємо ваш платіж ${amount} на користь «${merchant}».`,
  amount: 'Сума',
  merchant: 'Отримувач',
  date: 'Дата платежу',
  keep: 'Збережіть цей лист як підтвердження.',
};

const fr: MailWords = {
  subject: (amount, merchant) => `Paiement de ${amount} à ${merchant} confirmé`,
  intro: (amount, merchant) => `Nous confirmons votre paiement de ${amount} à ${merchant}.`,
  amount: 'Montant',
  merchant: 'Bénéficiaire',
  date: 'Date du paiement',
  keep: 'Conservez ce message comme confirmation.',
};

const it: MailWords = {
  subject: (amount, merchant) => `Pagamento di ${amount} a ${merchant} confermato`,
  intro: (amount, merchant) => `Confermiamo il tuo pagamento di ${amount} a ${merchant}.`,
  amount: 'Importo',
  merchant: 'Beneficiario',
  date: 'Data del pagamento',
  keep: 'Conserva questo messaggio come conferma.',
};

const es: MailWords = {
  subject: (amount, merchant) => `Pago de ${amount} a ${merchant} confirmado`,
  intro: (amount, merchant) => `Confirmamos su pago de ${amount} a ${merchant}.`,
  amount: 'Importe',
  merchant: 'Beneficiario',
  date: 'Fecha de pago',
  keep: 'Guarde este mensaje como confirmación.',
};

const ru: MailWords = {
  subject: (amount, merchant) => `Платёж ${amount} в пользу «${merchant}» подтверждён`,
  intro: (amount, merchant) => `Подтверждаем ваш платёж ${amount} в пользу «${merchant}».`,
  amount: 'Сумма',
  merchant: 'Получатель',
  date: 'Дата платежа',
  keep: 'Сохраните это письмо как подтверждение.',
};

const words: Readonly<Record<(typeof languages)[number], MailWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const paidMailWords: Readonly<Record<string, MailWords>> & { readonly en: MailWords } = words;
