// What payers read about the methods, in every language that a transaction may have: one entry of each language per method.

import type { Language } from '../../contract/languages.ts';
import type { MethodName } from '../../contract/methods.ts';
import type { MethodWords } from './model.ts';

export const methodWords: Readonly<Record<Language, Readonly<Record<MethodName, MethodWords>>>> = {
  pl: {
    transfer: { name: 'Przelew bankowy', hint: 'Potwierdzisz go w swoim banku' },
    card: { name: 'Karta', hint: 'Debetowa lub kredytowa' },
    blik: { name: 'BLIK', hint: 'Kodem z aplikacji banku' },
    wallet: { name: 'Portfel na tym urządzeniu', hint: 'Zapisaną na nim kartą', mail: 'Portfel na urządzeniu' },
    online_wallet: {
      name: 'Portfel internetowy',
      hint: 'Zalogujesz się do swojego portfela',
      form: {
        title: 'Zapłać portfelem internetowym',
        hint: 'Zalogujesz się do portfela, potwierdzisz płatność i wrócisz tutaj.',
        go: 'Przejdź do portfela',
      },
    },
  },
  en: {
    transfer: { name: 'Bank transfer', hint: 'You confirm it at your bank' },
    card: { name: 'Card', hint: 'Debit or credit' },
    blik: { name: 'BLIK', hint: 'With the code from your bank’s app' },
    wallet: { name: 'Wallet on this device', hint: 'With a card stored in it', mail: 'Device wallet' },
    online_wallet: {
      name: 'Online wallet',
      hint: 'You sign in to your wallet',
      form: {
        title: 'Pay with your online wallet',
        hint: 'You sign in to your wallet, confirm the payment and come back here.',
        go: 'Continue to the wallet',
      },
    },
  },
  de: {
    transfer: { name: 'Bank\u00adüberweisung', hint: 'Sie bestätigen sie bei Ihrer Bank' },
    card: { name: 'Karte', hint: 'Debit- oder Kreditkarte' },
    blik: { name: 'BLIK', hint: 'Mit dem Code aus Ihrer Banking-App' },
    wallet: { name: 'Wallet auf diesem Gerät', hint: 'Mit einer hier gespeicherten Karte', mail: 'Wallet im Gerät' },
    online_wallet: {
      name: 'Online-Wallet',
      hint: 'Sie melden sich bei Ihrer Wallet an',
      form: {
        title: 'Mit der Online-Wallet zahlen',
        hint: 'Sie melden sich bei Ihrer Wallet an, bestätigen die Zahlung und kehren hierher zurück.',
        go: 'Weiter zur Wallet',
      },
    },
  },
  fr: {
    transfer: { name: 'Virement bancaire', hint: 'À confirmer auprès de votre banque' },
    card: { name: 'Carte bancaire', hint: 'Carte de débit ou de crédit' },
    blik: { name: 'BLIK', hint: 'Avec le code de votre application bancaire' },
    wallet: {
      name: 'Portefeuille de cet appareil',
      hint: 'Avec une carte qui y est enregistrée',
      mail: 'Portefeuille de l’appareil',
    },
    online_wallet: {
      name: 'Portefeuille en ligne',
      hint: 'Vous vous connectez à votre portefeuille',
      form: {
        title: 'Payer avec votre portefeuille en ligne',
        hint: 'Vous vous connectez à votre portefeuille, confirmez le paiement, puis revenez ici.',
        go: 'Continuer vers le portefeuille',
      },
    },
  },
  it: {
    transfer: { name: 'Bonifico bancario', hint: 'Lo confermi sul sito della tua banca' },
    card: { name: 'Carta', hint: 'Di debito o di credito' },
    blik: { name: 'BLIK', hint: 'Con il codice dell’app della tua banca' },
    wallet: {
      name: 'Wallet di questo dispositivo',
      hint: 'Con una carta salvata sul dispositivo',
      mail: 'Wallet del dispositivo',
    },
    online_wallet: {
      name: 'Wallet online',
      hint: 'Accedi al tuo wallet',
      form: {
        title: 'Paga con il tuo wallet online',
        hint: 'Accedi al tuo wallet, conferma il pagamento e torna qui.',
        go: 'Vai al wallet',
      },
    },
  },
  es: {
    transfer: { name: 'Transferencia bancaria', hint: 'La confirmará en su banco' },
    card: { name: 'Tarjeta', hint: 'De débito o de crédito' },
    blik: { name: 'BLIK', hint: 'Con el código de la aplicación de su banco' },
    wallet: {
      name: 'Cartera de este dispositivo',
      hint: 'Con una tarjeta guardada en él',
      mail: 'Cartera del dispositivo',
    },
    online_wallet: {
      name: 'Cartera en línea',
      hint: 'Iniciará sesión en su cartera',
      form: {
        title: 'Pagar con su cartera en línea',
        hint: 'Iniciará sesión en su cartera, confirmará el pago y volverá aquí.',
        go: 'Ir a la cartera',
      },
    },
  },
  uk: {
    transfer: { name: 'Банківський переказ', hint: 'Ви підтвердите його у своєму банку' },
    card: { name: 'Картка', hint: 'Дебетова або кредитна' },
    blik: { name: 'BLIK', hint: 'Кодом із застосунку банку' },
    wallet: { name: 'Гаманець на цьому пристрої', hint: 'Збереженою на ньому карткою', mail: 'Гаманець пристрою' },
    online_wallet: {
      name: 'Онлайн-гаманець',
      hint: 'Ви ввійдете до свого гаманця',
      form: {
        title: 'Оплата онлайн-гаманцем',
        hint: 'Ви ввійдете до гаманця, підтвердите платіж і повернетеся сюди.',
        go: 'Перейти до гаманця',
      },
    },
  },
  ru: {
    transfer: { name: 'Банковский перевод', hint: 'Вы подтвердите его в своём банке' },
    card: { name: 'Карта', hint: 'Дебетовая или кредитная' },
    blik: { name: 'BLIK', hint: 'Кодом из приложения банка' },
    wallet: { name: 'Кошелёк на этом устройстве', hint: 'Сохранённой на нём картой', mail: 'Кошелёк устройства' },
    online_wallet: {
      name: 'Онлайн-кошелёк',
      hint: 'Вы войдёте в свой кошелёк',
      form: {
        title: 'Оплата онлайн-кошельком',
        hint: 'Вы войдёте в кошелёк, подтвердите платёж и вернётесь сюда.',
        go: 'Перейти в кошелёк',
      },
    },
  },
};
