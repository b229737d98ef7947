// Words that every mail to a payer has, in every language that a transaction may have.

import type { Language } from '../../../contract/languages.ts';

export interface MailWords {
  readonly greeting: string;
  readonly description: string;
  readonly title: string;
  readonly method: string;
  readonly automatic: string;
}

const words: Readonly<Record<Language, MailWords>> = {
  pl: {
    greeting: 'Dzień dobry,',
    description: 'Opis płatności',
    title: 'Numer płatności',
    method: 'Metoda płatności',
    automatic: 'Ta wiadomość została wysłana automatycznie. W razie pytań skontaktuj się ze sklepem.',
  },
  en: {
    greeting: 'Hello,',
    description: 'Payment description',
    title: 'Payment number',
    method: 'Payment method',
    automatic: 'This message was sent automatically. If you have questions, please contact the shop.',
  },
  de: {
    greeting: 'Guten Tag,',
    description: 'Verwendungszweck',
    title: 'Zahlungsnummer',
    method: 'Zahlungsart',
    automatic: 'Diese Nachricht wurde automatisch versandt. Bei Fragen wenden Sie sich bitte an den Shop.',
  },
  fr: {
    greeting: 'Bonjour,',
    description: 'Objet du paiement',
    title: 'Numéro de paiement',
    method: 'Moyen de paiement',
    automatic: 'Ce message a été envoyé automatiquement. Pour toute question, adressez-vous à la boutique.',
  },
  it: {
    greeting: 'Buongiorno,',
    description: 'Causale',
    title: 'Numero del pagamento',
    method: 'Metodo di pagamento',
    automatic: 'Questo messaggio è stato inviato automaticamente. Per qualsiasi domanda, rivolgiti al negozio.',
  },
  es: {
    greeting: 'Hola:',
    description: 'Concepto',
    title: 'Número de pago',
    method: 'Método de pago',
    automatic: 'Este mensaje se ha enviado automáticamente. Si tiene preguntas, diríjase a la tienda.',
  },
  uk: {
    greeting: 'Добрий день!',
    description: 'Призначення платежу',
    title: 'Номер платежу',
    method: 'Спосіб оплати',
    automatic: 'Цей лист надіслано автоматично. Якщо маєте запитання, зверніться до магазину.',
  },
  ru: {
    greeting: 'Здравствуйте!',
    description: 'Назначение платежа',
    title: 'Номер платежа',
    method: 'Способ оплаты',
    automatic: 'Это письмо отправлено автоматически. Если у вас есть вопросы, обратитесь в магазин.',
  },
};

/** By language; English for unknown ones. */
export const mailWords: Readonly<Record<string, MailWords>> & { readonly en: MailWords } = words;

/** The first of these that mails have: the payer's, then the usual ones of the account. English if none is known. */
export function mailLanguage(...wanted: readonly (string | null)[]): string {
  return wanted.find((language) => language !== null && Object.hasOwn(words, language)) ?? 'en';
}
