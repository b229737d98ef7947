import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  name: 'Nazwa',

  since: 'Najstarsze połączenie',

  worksAbout: 'Co działa w tle, ile jest do zrobienia i jak bardzo się to spóźnia.',
  work: 'Praca',
  due: 'Do zrobienia',
  lag: 'Spóźnienie',
  uncounted: 'Nie liczone: ta praca nie ma kolejki',
  seconds: '{value} s',
  nodes: 'Węzły',
  nodesAbout: 'Procesy, które używają bazy danych.',
  node: 'Proces',
  address: 'Adres',
  connections: 'Połączenia',
  installation: 'Instalacja',
  version: 'Wersja',
  database: 'PostgreSQL',
  size: 'Rozmiar bazy danych',
} satisfies Translation<typeof en>;
