// The names of the screens.

import { dictionary } from './text.ts';

export const screenText = dictionary({
  overview: { en: 'Overview', pl: 'Przegląd' },
  transactions: { en: 'Transactions', pl: 'Transakcje' },
  newPayment: { en: 'New payment', pl: 'Nowa płatność' },
  refunds: { en: 'Refunds', pl: 'Zwroty' },
  recurring: { en: 'Recurring', pl: 'Płatności cykliczne' },
  marketplace: { en: 'Marketplace', pl: 'Marketplace' },
  marketTransactions: { en: 'Transactions', pl: 'Transakcje' },
  sellers: { en: 'Sellers', pl: 'Sprzedawcy' },
  developers: { en: 'Developers', pl: 'Dla programistów' },
  requests: { en: 'Requests', pl: 'Żądania' },
  notifications: { en: 'Notifications', pl: 'Powiadomienia' },
  keys: { en: 'API keys', pl: 'Klucze API' },
  sandbox: { en: 'Sandbox', pl: 'Sandbox' },
  money: { en: 'Money', pl: 'Pieniądze' },
  ledger: { en: 'Ledger', pl: 'Księga' },
  statements: { en: 'Statements', pl: 'Zestawienia' },
  settings: { en: 'Settings', pl: 'Ustawienia' },
  account: { en: 'Account', pl: 'Konto' },
  pos: { en: 'Points of sale', pl: 'Punkty sprzedaży' },
  wallet: { en: 'Wallet', pl: 'Portfel' },
  operator: { en: 'Operator', pl: 'Operator' },
  accounts: { en: 'Accounts', pl: 'Konta' },
  parked: { en: 'Parked', pl: 'Do decyzji' },
  works: { en: 'Works and nodes', pl: 'Prace i węzły' },
  verify: { en: 'Books', pl: 'Księgi' },
  users: { en: 'Users', pl: 'Użytkownicy' },
  audit: { en: 'Audit log', pl: 'Dziennik zdarzeń' },
  profile: { en: 'Your profile', pl: 'Twój profil' },
});
