import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  kind: 'Rodzaj',
  account: 'Konto',
  transaction: 'Transakcja',
  look: 'Otwórz',

  parkedAbout:
    'Czego bank nie rozstrzygnął. Zapytaj bank, a potem zdecyduj. Wpłaty, których nikt nie zna, czekają do tego czasu na koncie płatników.',
  nothingParked: 'Nic nie czeka na decyzję',
  nothingParkedHint: 'Tu pojawią się płatności, obciążenia i zwroty, których wyniku bank nie podaje.',
  since: 'Od',
  why: 'Dlaczego',
  decide: 'Zdecyduj',
  decideTitle: 'Decyzja w sprawie {amount}',
  decision: 'Co mówi bank',
  captured: 'Pieniądze zostały przesunięte',
  not_captured: 'Pieniędzy nie przesunięto',
  isCost: 'Zatrzymuje to agent: nasz koszt',
  isGain: 'Zostaje u nas: nasz zysk',
  isLoss: 'Ponosimy to sami: strata',
  givenBack: 'Agent ma to oddać',
  takenBack: 'Agent ma to odebrać',
  stands: 'Zestawienie jest ostateczne',
  toCorrect: 'Agent ma poprawić zestawienie',
  rightForCharges: 'Dla tych obciążeń się zgadza',
  toCorrectSoon: 'Agent ma poprawić zestawienie w ciągu trzech dni',
  standsAbout:
    'Jeśli zestawienie jest ostateczne, konta odzyskują to, czego agent nie zatrzymał, a reszta to nasza strata.',
  seen: 'Wiem o tym',
  confirmedAmount: 'Kwota potwierdzona przez bank',
  confirmedHint: 'Na przykład 49,90. Inna kwota niż ta, o którą chodzi, nigdy nie zostanie zaksięgowana.',
  notAmount: 'Wpisz kwotę, na przykład 49,90.',
  decided: 'Zdecydowano.',
  noted: 'Oznaczono jako przeczytane.',
  final: 'Tej decyzji nie można cofnąć.',
  correctable: 'Bank ma to poprawić. Do tego czasu można zdecydować inaczej.',
  finalUnlessCorrected: 'Decyzji nie można cofnąć, chyba że bank ma coś poprawić.',
  askedAgain: 'Za trzy dni trzeba będzie zdecydować ponownie.',
  history: 'Co działo się wcześniej',
  amounts: 'bank {bank}, księgi {books}',
} satisfies Translation<typeof en>;
