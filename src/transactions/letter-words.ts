// Texts of the mail that confirms a payment, in every language that a transaction may have.

import type { languages } from '../../contract/languages.ts';

export interface LetterWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly told: (amount: string, merchant: string) => string;
  readonly amount: string;
  readonly merchant: string;
  readonly date: string;
  readonly keep: string;
}

const pl: LetterWords = {
  subject: (amount, merchant) => `Potwierdzenie płatności ${amount} dla sprzedawcy ${merchant}`,
  told: (amount, merchant) => `Potwierdzamy Twoją płatność ${amount} dla sprzedawcy ${merchant}.`,
  amount: 'Kwota',
  merchant: 'Odbiorca',
  date: 'Data płatności',
  keep: 'Zachowaj tę wiadomość jako potwierdzenie.',
};

const en: LetterWords = {
  subject: (amount, merchant) => `Payment of ${amount} to ${merchant} confirmed`,
  told: (amount, merchant) => `We confirm your payment of ${amount} to ${merchant}.`,
  amount: 'Amount',
  merchant: 'Recipient',
  date: 'Paid on',
  keep: 'Please keep this message as your confirmation.',
};

const de: LetterWords = {
  subject: (amount, merchant) => `Zahlung von ${amount} an ${merchant} bestätigt`,
  told: (amount, merchant) => `wir bestätigen Ihre Zahlung von ${amount} an ${merchant}.`,
  amount: 'Betrag',
  merchant: 'Empfänger',
  date: 'Bezahlt am',
  keep: 'Bitte bewahren Sie diese Nachricht als Bestätigung auf.',
};

const uk: LetterWords = {
  subject: (amount, merchant) => `Підтвердження платежу ${amount} на користь «${merchant}»`,
  told: (amount, merchant) => `Підтверджуємо ваш платіж ${amount} на користь «${merchant}».`,
  amount: 'Сума',
  merchant: 'Отримувач',
  date: 'Дата платежу',
  keep: 'Збережіть цей лист як підтвердження.',
};

const fr: LetterWords = {
  subject: (amount, merchant) => `Paiement de ${amount} à ${merchant} confirmé`,
  told: (amount, merchant) => `Nous confirmons votre paiement de ${amount} à ${merchant}.`,
  amount: 'Montant',
  merchant: 'Bénéficiaire',
  date: 'Date du paiement',
  keep: 'Conservez ce message comme confirmation.',
};

const it: LetterWords = {
  subject: (amount, merchant) => `Pagamento di ${amount} a ${merchant} confermato`,
  told: (amount, merchant) => `Confermiamo il tuo pagamento di ${amount} a ${merchant}.`,
  amount: 'Importo',
  merchant: 'Beneficiario',
  date: 'Data del pagamento',
  keep: 'Conserva questo messaggio come conferma.',
};

const es: LetterWords = {
  subject: (amount, merchant) => `Pago de ${amount} a ${merchant} confirmado`,
  told: (amount, merchant) => `Confirmamos su pago de ${amount} a ${merchant}.`,
  amount: 'Importe',
  merchant: 'Beneficiario',
  date: 'Fecha de pago',
  keep: 'Guarde este mensaje como confirmación.',
};

const ru: LetterWords = {
  subject: (amount, merchant) => `Платёж ${amount} в пользу «${merchant}» подтверждён`,
  told: (amount, merchant) => `Подтверждаем ваш платёж ${amount} в пользу «${merchant}».`,
  amount: 'Сумма',
  merchant: 'Получатель',
  date: 'Дата платежа',
  keep: 'Сохраните это письмо как подтверждение.',
};

const words: Readonly<Record<(typeof languages)[number], LetterWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const letterWords: Readonly<Record<string, LetterWords>> & { readonly en: LetterWords } = words;
