// pain.001: a transfer initiation of ISO 20022, one payment information block with all payments. The two versions differ in
// how the execution day is written.

import { decimalText, localText } from '../../kernel/index.ts';
import { sortCodeOf } from './iban.ts';
import type { Layout } from './layout.ts';
import type { Payment, PaymentBatch } from './model.ts';
import type { BankProfile, CodeOrOwn } from './profile.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string) => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);

function choice(name: string, given: CodeOrOwn | null): string {
  if (given === null) return '';
  const value = 'code' in given ? `<Cd>${escaped(given.code)}</Cd>` : `<Prtry>${escaped(given.own)}</Prtry>`;
  return `<${name}>${value}</${name}>`;
}

function paymentType({ serviceLevel, localInstrument }: BankProfile): string {
  const content = choice('SvcLvl', serviceLevel) + choice('LclInstrm', localInstrument);
  return content === '' ? '' : `<PmtTpInf>${content}</PmtTpInf>`;
}

/** PLKNR is the code of ISO 20022 for Polish sort codes. */
function payerBank({ payerBank: named }: BankProfile, { payerIban }: PaymentBatch): string {
  return named === 'sort_code'
    ? `<ClrSysMmbId><ClrSysId><Cd>PLKNR</Cd></ClrSysId><MmbId>${sortCodeOf(payerIban)}</MmbId></ClrSysMmbId>`
    : '<Othr><Id>NOTPROVIDED</Id></Othr>';
}

function head(profile: BankProfile, batch: PaymentBatch): string {
  const { messageId, executeOn, payments, payerIban } = batch;
  const totals = `<NbOfTxs>${payments}</NbOfTxs><CtrlSum>${decimalText(batch.sumMinor)}</CtrlSum>`;
  const createdAt = localText(batch.createdAt, profile.zone).replace(' ', 'T');
  const payerName = `<Nm>${escaped(batch.payerName)}</Nm>`;
  const day = profile.format === 'pain.001.001.09' ? `<Dt>${executeOn}</Dt>` : executeOn;
  const { chargeBearer } = profile;
  return [
    `<?xml version="1.0" encoding="${profile.encoding}"?>`,
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${profile.format}"><CstmrCdtTrfInitn>`,
    `<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${createdAt}</CreDtTm>${totals}<InitgPty>${payerName}</InitgPty></GrpHdr>`,
    `<PmtInf><PmtInfId>${messageId}</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>${profile.bookedAsBatch}</BtchBookg>${totals}`,
    `${paymentType(profile)}<ReqdExctnDt>${day}</ReqdExctnDt>`,
    `<Dbtr>${payerName}</Dbtr><DbtrAcct><Id><IBAN>${payerIban}</IBAN></Id><Ccy>${batch.currency}</Ccy></DbtrAcct>`,
    `<DbtrAgt><FinInstnId>${payerBank(profile, batch)}</FinInstnId></DbtrAgt>`,
    chargeBearer === null ? '' : `<ChrgBr>${chargeBearer}</ChrgBr>\n`,
  ].join('\n');
}

function transfer(currency: string, { reference, amountMinor, payeeName, payeeIban, title }: Payment): string {
  return [
    `<CdtTrfTxInf><PmtId><InstrId>${reference}</InstrId><EndToEndId>${reference}</EndToEndId></PmtId>`,
    `<Amt><InstdAmt Ccy="${currency}">${decimalText(amountMinor)}</InstdAmt></Amt>`,
    `<Cdtr><Nm>${escaped(payeeName)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${payeeIban}</IBAN></Id></CdtrAcct>`,
    `<RmtInf><Ustrd>${escaped(title)}</Ustrd></RmtInf></CdtTrfTxInf>\n`,
  ].join('');
}

/** Facts that were judged, in the bank's characters. */
export function pain001(profile: BankProfile, batch: PaymentBatch): Layout {
  return {
    head: head(profile, batch),
    payment: (payment) => transfer(batch.currency, payment),
    tail: '</PmtInf></CstmrCdtTrfInitn></Document>\n',
  };
}
