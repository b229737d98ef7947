// What a payment file says, read back for `verify` without the code that writes it: each payment is on a line of its own in
// all formats.

export interface ReadPayment {
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly number: string;
}

const transfer =
  /^<CdtTrfTxInf><PmtId><InstrId>(\w{26})<\/InstrId><EndToEndId>\1<\/EndToEndId><\/PmtId><Amt><InstdAmt Ccy="[A-Z]{3}">(\d+)\.(\d\d)<\/InstdAmt><\/Amt><Cdtr>.*<\/Cdtr><CdtrAcct><Id><IBAN>(\w+)<\/IBAN><\/Id><\/CdtrAcct>/;
const order = /^110,\d{8},(\d+),\d{8},0,"\d{26}","(\d{26})",(?:"[^"]*",){2}0,\d{8},"GROSZ (\w{26})/;

/** Whether the line begins a payment, of any format. */
export const isPayment = (line: string) => line.includes('<CdtTrfTxInf>') || line.startsWith('110,');

/** Undefined: it is not as we write one. */
export function readPayment(line: string): ReadPayment | undefined {
  const [, reference = '', whole = '', cents = '', number = ''] = transfer.exec(line) ?? [];
  if (reference !== '') return { reference, amountMinor: BigInt(whole + cents), number };
  const [, amount = '', account = '', named = ''] = order.exec(line) ?? [];
  return named === '' ? undefined : { reference: named, amountMinor: BigInt(amount), number: `PL${account}` };
}
