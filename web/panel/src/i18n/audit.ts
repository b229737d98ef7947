import { dictionary } from './text.ts';

export const auditText = dictionary({
  about: {
    en: 'Everything that people did here. Entries cannot be changed: each contains the hash of the one before it.',
    pl: 'Wszystko, co tu zrobiono. Wpisów nie można zmienić: każdy zawiera skrót poprzedniego.',
  },
  when: { en: 'When', pl: 'Kiedy' },
  who: { en: 'Who', pl: 'Kto' },
  what: { en: 'What', pl: 'Co' },
  outcome: { en: 'Outcome', pl: 'Wynik' },
  from: { en: 'From', pl: 'Skąd' },
  user: { en: 'User', pl: 'Użytkownik' },
  everybody: { en: 'Everybody', pl: 'Wszyscy' },
  action: { en: 'Action', pl: 'Działanie' },
  everything: { en: 'Everything', pl: 'Wszystko' },
  ok: { en: 'Done', pl: 'Wykonano' },
  refused: { en: 'Refused', pl: 'Odmowa' },
  running: { en: 'Not finished', pl: 'Niedokończone' },
  details: { en: 'Details', pl: 'Szczegóły' },
  showDetails: { en: 'Details of entry {position}', pl: 'Szczegóły wpisu {position}' },
  request: { en: 'Request', pl: 'Żądanie' },
  asked: { en: 'What was asked for', pl: 'O co poproszono' },
  device: { en: 'Device', pl: 'Urządzenie' },
  older: { en: 'Older entries', pl: 'Starsze wpisy' },
  newest: { en: 'Newest entries', pl: 'Najnowsze wpisy' },
  none: { en: 'No entries', pl: 'Brak wpisów' },
  noneYet: { en: 'Nothing found yet', pl: 'Na razie nic nie znaleziono' },
  noneYetAbout: {
    en: '10,000 entries were looked through. Go on with the older ones.',
    pl: 'Przejrzano 10 000 wpisów. Szukaj dalej w starszych.',
  },
  noneAbout: { en: 'Nobody did anything that matches.', pl: 'Nikt nie zrobił nic pasującego.' },
});
