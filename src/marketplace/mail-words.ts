// Texts of the mail about a new marketplace transaction, in every language that it may have.

import type { languages } from '../../contract/languages.ts';

export interface MailWords {
  readonly subject: (amount: string, partner: string) => string;
  readonly intro: (amount: string, partner: string) => string;
  readonly until: string;
  readonly sellers: string;
  readonly more: (count: number) => string;
  readonly pay: (amount: string) => string;
  readonly when: string;
  readonly automatic: (partner: string) => string;
}

const pl: MailWords = {
  subject: (amount, partner) => `${partner}: płatność ${amount}`,
  intro: (amount, partner) => `${partner} czeka na Twoją płatność: ${amount}.`,
  until: 'Termin płatności',
  sellers: 'Sprzedawcy',
  more: (count) => `i jeszcze ${count}`,
  pay: (amount) => `Zapłać ${amount}`,
  when: 'Jeśli płatność została już wykonana, nie musisz nic robić.',
  automatic: (partner) => `Ta wiadomość została wysłana automatycznie. Na pytania odpowie ${partner}.`,
};

const en: MailWords = {
  subject: (amount, partner) => `Payment of ${amount} to ${partner}`,
  intro: (amount, partner) => `${partner} is waiting for your payment of ${amount}.`,
  until: 'Pay by',
  sellers: 'Sellers',
  more: (count) => `and ${count} more`,
  pay: (amount) => `Pay ${amount}`,
  when: 'If you have already paid, there is nothing left to do.',
  automatic: (partner) => `This message was sent automatically. If you have questions, please contact ${partner}.`,
};

const de: MailWords = {
  subject: (amount, partner) => `Zahlung von ${amount} an ${partner}`,
  intro: (amount, partner) => `${partner} wartet auf Ihre Zahlung von ${amount}.`,
  until: 'Zahlbar bis',
  sellers: 'Verkäufer',
  more: (count) => (count === 1 ? 'und ein weiterer' : `und ${count} weitere`),
  pay: (amount) => `${amount} zahlen`,
  when: 'Wenn Sie bereits gezahlt haben, müssen Sie nichts weiter tun.',
  automatic: (partner) => `Diese Nachricht wurde automatisch versandt. Fragen beantwortet ${partner}.`,
};

const uk: MailWords = {
  subject: (amount, partner) => `Платіж ${amount} на користь «${partner}»`,
  intro: (amount, partner) => `«${partner}» очікує на ваш платіж: ${amount}.`,
  until: 'Термін оплати',
  sellers: 'Продавці',
  more: (count) => `і ще ${count}`,
  pay: (amount) => `Сплатити ${amount}`,
  when: 'Якщо ви вже заплатили, більше нічого робити не потрібно.',
  automatic: (partner) => `Цей лист надіслано автоматично. На запитання відповість «${partner}».`,
};

const fr: MailWords = {
  subject: (amount, partner) => `Paiement de ${amount} à ${partner}`,
  intro: (amount, partner) => `${partner} attend votre paiement de ${amount}.`,
  until: 'À payer jusqu’au',
  sellers: 'Vendeurs',
  more: (count) => (count === 1 ? 'et 1 autre' : `et ${count} autres`),
  pay: (amount) => `Payer ${amount}`,
  when: 'Si vous avez déjà payé, vous n’avez plus rien à faire.',
  automatic: (partner) => `Ce message a été envoyé automatiquement. Pour toute question, adressez-vous à ${partner}.`,
};

const it: MailWords = {
  subject: (amount, partner) => `Pagamento di ${amount} a ${partner}`,
  intro: (amount, partner) => `${partner} è in attesa del tuo pagamento di ${amount}.`,
  until: 'Da pagare entro',
  sellers: 'Venditori',
  more: (count) => (count === 1 ? 'e un altro' : `e altri ${count}`),
  pay: (amount) => `Paga ${amount}`,
  when: 'Se hai già pagato, non devi fare altro.',
  automatic: (partner) =>
    `Questo messaggio è stato inviato automaticamente. Per qualsiasi domanda, rivolgiti a ${partner}.`,
};

const es: MailWords = {
  subject: (amount, partner) => `Pago de ${amount} a ${partner}`,
  intro: (amount, partner) => `${partner} espera su pago de ${amount}.`,
  until: 'Fecha límite de pago',
  sellers: 'Vendedores',
  more: (count) => `y ${count} más`,
  pay: (amount) => `Pagar ${amount}`,
  when: 'Si ya ha pagado, no tiene que hacer nada más.',
  automatic: (partner) => `Este mensaje se ha enviado automáticamente. Si tiene preguntas, diríjase a ${partner}.`,
};

const ru: MailWords = {
  subject: (amount, partner) => `Платёж ${amount} в пользу «${partner}»`,
  intro: (amount, partner) => `«${partner}» ожидает ваш платёж: ${amount}.`,
  until: 'Срок оплаты',
  sellers: 'Продавцы',
  more: (count) => `и ещё ${count}`,
  pay: (amount) => `Оплатить ${amount}`,
  when: 'Если вы уже заплатили, больше ничего делать не нужно.',
  automatic: (partner) => `Это письмо отправлено автоматически. На вопросы ответит «${partner}».`,
};

const words: Readonly<Record<(typeof languages)[number], MailWords>> = { pl, en, de, fr, it, es, uk, ru };

/** By language; English for unknown ones. */
export const orderMailWords: Readonly<Record<string, MailWords>> & { readonly en: MailWords } = words;
