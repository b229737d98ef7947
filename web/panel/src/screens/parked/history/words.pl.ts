import type { Translation } from '../../../language/text.ts';
import type en from './words.en.ts';

export default {
  found: 'wykryto',
  changed: 'kwoty się zmieniły',
  followed: 'zaksięgowano zgodnie z wyciągiem',
  reverted: 'cofnięto korektę',
  decided: 'rozstrzygnięto',
  promised: 'bank ma to poprawić',
  returning: 'zwracane płatnikowi',
  parked: 'znów do decyzji',
  returned: 'zwrócono płatnikowi',
  closed: 'zamknięto',
  payout_booked: 'zaksięgowano wypłatę',
  line_booked: 'zaksięgowano jak w wyciągu',
  line_amended: 'wyciąg podaje inne obciążenie',
} satisfies Translation<typeof en>;
