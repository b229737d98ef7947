import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  about: 'Kto przyjmuje nowe obciążenia. To, co któryś z nich zaczął, zostaje u niego, także gdy jest wyłączony.',
  acquirer: 'Agent rozliczeniowy',
  ledgerName: 'W księdze',
  state: 'Nowe obciążenia',
  on: 'Przyjmuje',
  off: 'Wyłączony',
  routes: 'Trasy',
  routesAbout:
    'Z tras, które pasują do obciążenia, liczą się najdokładniejsze: sprzedawca, potem kanał, potem waluta. Mówią dokładnie, kto je przyjmuje. Jeśli z jednym nie ma połączenia, pytany jest następny.',
  noRoutes: 'Brak tras',
  noRoutesHint: 'Nowe obciążenia trafiają do agentów powyżej, w ich kolejności.',
  merchant: 'Sprzedawca',
  channel: 'Kanał',
  currency: 'Waluta',
  position: 'Pozycja',
  every: 'Każdy',
  everyCurrency: 'Każda',
  add: 'Dodaj trasę',
  added: 'Trasa działa w ciągu dziesięciu sekund',
  merchantHint: 'Identyfikator konta; puste: każdy sprzedawca.',
  positionHint: 'Mniejsza jest pierwsza; puste: po tych, które już są.',
  actions: 'Czynności',
  remove: 'Usuń',
  removeTitle: 'Usunąć trasę?',
  removeAbout: 'Nowe obciążenia pójdą innymi trasami. To, co nią obciążono, zostaje, gdzie jest.',
  removed: 'Trasa jest usunięta',
} satisfies Translation<typeof en>;
