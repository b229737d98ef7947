// Texts of the mail that confirms a payment, in every language that a transaction may have.

import type { languages } from '../../contract/languages.ts';

export interface LetterWords {
  readonly subject: (amount: string, merchant: string) => string;
  readonly greeting: string;
  readonly told: (amount: string, merchant: string) => string;
  readonly amount: string;
  readonly merchant: string;
  readonly description: string;
  readonly title: string;
  readonly date: string;
  readonly keep: string;
  readonly automatic: string;
}

const pl: LetterWords = {
  subject: (amount, merchant) => `Potwierdzenie płatności ${amount} dla ${merchant}`,
  greeting: 'Dzień dobry,',
  told: (amount, merchant) => `Potwierdzamy Twoją płatność ${amount} dla ${merchant}.`,
  amount: 'Kwota',
  merchant: 'Odbiorca',
  description: 'Opis płatności',
  title: 'Numer płatności',
  date: 'Data płatności',
  keep: 'Zachowaj tę wiadomość jako potwierdzenie.',
  automatic: 'To wiadomość wysłana automatycznie. Z pytaniami zwróć się do sklepu.',
};

const en: LetterWords = {
  subject: (amount, merchant) => `Payment of ${amount} to ${merchant} confirmed`,
  greeting: 'Hello,',
  told: (amount, merchant) => `We confirm your payment of ${amount} to ${merchant}.`,
  amount: 'Amount',
  merchant: 'Recipient',
  description: 'Payment description',
  title: 'Payment number',
  date: 'Paid on',
  keep: 'Please keep this message as your confirmation.',
  automatic: 'This message was sent automatically. Please ask the shop if you have questions.',
};

const de: LetterWords = {
  subject: (amount, merchant) => `Zahlung von ${amount} an ${merchant} bestätigt`,
  greeting: 'Guten Tag,',
  told: (amount, merchant) => `wir bestätigen Ihre Zahlung von ${amount} an ${merchant}.`,
  amount: 'Betrag',
  merchant: 'Empfänger',
  description: 'Verwendungszweck',
  title: 'Zahlungsnummer',
  date: 'Bezahlt am',
  keep: 'Bitte bewahren Sie diese Nachricht als Bestätigung auf.',
  automatic: 'Diese Nachricht wurde automatisch versandt. Bei Fragen wenden Sie sich bitte an den Shop.',
};

const uk: LetterWords = {
  subject: (amount, merchant) => `Підтвердження платежу ${amount} на користь ${merchant}`,
  greeting: 'Добрий день!',
  told: (amount, merchant) => `Підтверджуємо ваш платіж ${amount} на користь ${merchant}.`,
  amount: 'Сума',
  merchant: 'Отримувач',
  description: 'Призначення платежу',
  title: 'Номер платежу',
  date: 'Дата платежу',
  keep: 'Збережіть цей лист як підтвердження.',
  automatic: 'Цей лист надіслано автоматично. Якщо маєте запитання, зверніться до магазину.',
};

const fr: LetterWords = {
  subject: (amount, merchant) => `Paiement de ${amount} à ${merchant} confirmé`,
  greeting: 'Bonjour,',
  told: (amount, merchant) => `Nous confirmons votre paiement de ${amount} à ${merchant}.`,
  amount: 'Montant',
  merchant: 'Bénéficiaire',
  description: 'Objet du paiement',
  title: 'Numéro de paiement',
  date: 'Date du paiement',
  keep: 'Conservez ce message comme confirmation.',
  automatic: 'Ce message a été envoyé automatiquement. Pour toute question, adressez-vous à la boutique.',
};

const it: LetterWords = {
  subject: (amount, merchant) => `Pagamento di ${amount} a ${merchant} confermato`,
  greeting: 'Buongiorno,',
  told: (amount, merchant) => `Confermiamo il tuo pagamento di ${amount} a ${merchant}.`,
  amount: 'Importo',
  merchant: 'Beneficiario',
  description: 'Causale',
  title: 'Numero del pagamento',
  date: 'Data del pagamento',
  keep: 'Conserva questo messaggio come conferma.',
  automatic: 'Questo messaggio è stato inviato automaticamente. Per domande rivolgiti al negozio.',
};

const es: LetterWords = {
  subject: (amount, merchant) => `Pago de ${amount} a ${merchant} confirmado`,
  greeting: 'Hola:',
  told: (amount, merchant) => `Confirmamos su pago de ${amount} a ${merchant}.`,
  amount: 'Importe',
  merchant: 'Beneficiario',
  description: 'Concepto',
  title: 'Número de pago',
  date: 'Fecha de pago',
  keep: 'Guarde este mensaje como confirmación.',
  automatic: 'Este mensaje se ha enviado automáticamente. Si tiene preguntas, diríjase a la tienda.',
};

const ru: LetterWords = {
  subject: (amount, merchant) => `Платёж ${amount} в пользу ${merchant} подтверждён`,
  greeting: 'Здравствуйте!',
  told: (amount, merchant) => `Подтверждаем ваш платёж ${amount} в пользу ${merchant}.`,
  amount: 'Сумма',
  merchant: 'Получатель',
  description: 'Назначение платежа',
  title: 'Номер платежа',
  date: 'Дата платежа',
  keep: 'Сохраните это письмо как подтверждение.',
  automatic: 'Это письмо отправлено автоматически. Если есть вопросы, обратитесь в магазин.',
};

const words: Readonly<Record<(typeof languages)[number], LetterWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const letterWords: Readonly<Record<string, LetterWords>> & { readonly en: LetterWords } = words;
