import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  about: 'Wszystko, co tu zrobiono. Wpisów nie można zmienić: każdy zawiera skrót poprzedniego.',
  when: 'Kiedy',
  who: 'Kto',
  what: 'Co',
  outcome: 'Wynik',
  from: 'Skąd',
  user: 'Użytkownik',
  everybody: 'Wszyscy',
  action: 'Działanie',
  everything: 'Wszystko',
  ok: 'Wykonano',
  refused: 'Odmowa',
  running: 'Niedokończone',
  details: 'Szczegóły',
  showDetails: 'Szczegóły wpisu {position}',
  request: 'Żądanie',
  asked: 'O co poproszono',
  device: 'Urządzenie',
  older: 'Starsze wpisy',
  newest: 'Najnowsze wpisy',
  none: 'Brak wpisów',
  noneYet: 'Na razie nic nie znaleziono',
  noneYetAbout: 'Przejrzano 10 000 wpisów. Szukaj dalej w starszych.',
  noneAbout: 'Nikt nie zrobił nic pasującego.',
} satisfies Translation<typeof en>;
