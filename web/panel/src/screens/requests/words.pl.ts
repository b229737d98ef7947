import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  requestsAbout: 'Żądania do API z ostatnich siedmiu dni. Dane kart i sekrety są ukryte.',
  allRequests: 'Wszystkie żądania',
  request: 'Żądanie',
  endpoint: 'Endpoint',
  time: 'Czas',
  took: 'Trwało',
  milliseconds: '{value} ms',
  requestId: 'Id żądania',
  ignored: 'Pominięte pola',
  ignoredNote: 'Te pola żądania są nieznane i nie miały skutku: {fields}',
  success: 'udane',
  error: 'z błędem',
  sent: 'Wysłano',
  answer: 'Odpowiedź',
  noRequests: 'Brak żądań w ostatnich siedmiu dniach',
  noRequestsHint: 'Utwórz klucz API i wyślij pierwsze żądanie; w dokumentacji są działające przykłady.',
  reference: 'Dokumentacja API',
} satisfies Translation<typeof en>;
