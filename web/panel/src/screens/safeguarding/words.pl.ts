import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  about: 'To, co trzymamy dla klientów, musi każdego dnia pokrywać to, co jesteśmy im winni. Stan sprzed kilku sekund.',
  missing: 'Brakuje {amount} pieniędzy klientów. Wstrzymaj wypłaty, dopóki nie wiesz dlaczego.',
  heldTitle: 'Trzymamy',
  bank: 'Na rachunku pieniędzy klientów',
  acquirers: 'U agentów rozliczeniowych',
  held: 'Razem',
  owedTitle: 'Jesteśmy winni',
  accounts: 'Kontom, z wypłatami w drodze',
  payers: 'Płatnikom',
  unknown: 'Nieprzypisane',
  owed: 'Razem',
  shortfall: 'Brakuje',
  ownTitle: 'Nasze',
  ownAbout: 'Opłaty, które są jeszcze wśród pieniędzy klientów. Przenieś je osobnym przelewem na własny rachunek.',
  own: 'Nasza część tego, co trzymamy',
  movable: 'W tym w banku',
} satisfies Translation<typeof en>;
