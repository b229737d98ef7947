// Words that every mail to a payer has, in every language that a transaction may have.

import type { Language } from '../../../contract/languages.ts';

export interface MailWords {
  readonly greeting: string;
  readonly description: string;
  readonly title: string;
  readonly automatic: string;
}

const words: Readonly<Record<Language, MailWords>> = {
  pl: {
    greeting: 'Dzień dobry,',
    description: 'Opis płatności',
    title: 'Numer płatności',
    automatic: 'To wiadomość wysłana automatycznie. Z pytaniami zwróć się do sklepu.',
  },
  en: {
    greeting: 'Hello,',
    description: 'Payment description',
    title: 'Payment number',
    automatic: 'This message was sent automatically. Please ask the shop if you have questions.',
  },
  de: {
    greeting: 'Guten Tag,',
    description: 'Verwendungszweck',
    title: 'Zahlungsnummer',
    automatic: 'Diese Nachricht wurde automatisch versandt. Bei Fragen wenden Sie sich bitte an den Shop.',
  },
  fr: {
    greeting: 'Bonjour,',
    description: 'Objet du paiement',
    title: 'Numéro de paiement',
    automatic: 'Ce message a été envoyé automatiquement. Pour toute question, adressez-vous à la boutique.',
  },
  it: {
    greeting: 'Buongiorno,',
    description: 'Causale',
    title: 'Numero del pagamento',
    automatic: 'Questo messaggio è stato inviato automaticamente. Per domande rivolgiti al negozio.',
  },
  es: {
    greeting: 'Hola:',
    description: 'Concepto',
    title: 'Número de pago',
    automatic: 'Este mensaje se ha enviado automáticamente. Si tiene preguntas, diríjase a la tienda.',
  },
  uk: {
    greeting: 'Добрий день!',
    description: 'Призначення платежу',
    title: 'Номер платежу',
    automatic: 'Цей лист надіслано автоматично. Якщо маєте запитання, зверніться до магазину.',
  },
  ru: {
    greeting: 'Здравствуйте!',
    description: 'Назначение платежа',
    title: 'Номер платежа',
    automatic: 'Это письмо отправлено автоматически. Если есть вопросы, обратитесь в магазин.',
  },
};

/** By language; English for unknown ones. */
export const mailWords: Readonly<Record<string, MailWords>> & { readonly en: MailWords } = words;
