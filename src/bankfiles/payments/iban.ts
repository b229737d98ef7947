// Account numbers. Their form and the check digits of their country come from `ibantools`.

import { isSEPACountry, isValidBBAN, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

const codeOfA = 'A'.charCodeAt(0);
const codeOfZero = '0'.charCodeAt(0);

/**
 * Whether the two check digits fit the rest. The same as in `ibantools`, where it takes most of the time that a file of a
 * hundred thousand payments takes.
 */
function fits(iban: string): boolean {
  let rest = 0;
  for (let index = 4; index < iban.length + 2; index += 1) {
    const code = iban.charCodeAt(index % iban.length);
    rest = code >= codeOfA ? (rest * 100 + code - codeOfA + 10) % 97 : (rest * 10 + code - codeOfZero) % 97;
  }
  // The check digits count as 00.
  return String(98 - ((rest * 100) % 97)).padStart(2, '0') === iban.slice(2, 4);
}

/** What is wrong with an IBAN without spaces; undefined if nothing. */
export function ibanFault(iban: string): 'account_not_valid' | 'bank_code_not_valid' | undefined {
  if (isValidBBAN(iban.slice(4), iban.slice(0, 2)) && fits(iban)) return undefined;
  const { errorCodes } = validateIBAN(iban);
  const isOnlyBank = errorCodes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);
  return isOnlyBank ? 'bank_code_not_valid' : 'account_not_valid';
}

export function countryOf(iban: string): string {
  return iban.slice(0, 2);
}

export function isInSepa(country: string): boolean {
  return isSEPACountry(country);
}

/** The number without its country, as Polish banks write it: 26 digits. */
export function nrbOf(iban: string): string {
  return iban.slice(2);
}

/** The bank and its branch: 8 digits of a Polish account. */
export function sortCodeOf(iban: string): string {
  return iban.slice(4, 12);
}

/** All that may be shown of an account. */
export function endingOf(iban: string): string {
  return iban.slice(-4);
}
