// The paths of the values that are read from camt.053 and camt.054.

import type { ScopesGiven } from './scopes.ts';

const party = (who: 'Dbtr' | 'Cdtr') => [
  `RltdPties/${who}/Nm`,
  `RltdPties/${who}/Pty/Nm`,
  `RltdPties/${who}Acct/Id/IBAN`,
  `RltdPties/${who}Acct/Id/Othr/Id`,
];

const entryPaths = new Set([
  'Amt',
  'Amt@Ccy',
  'CdtDbtInd',
  'RvslInd',
  'Sts',
  'Sts/Cd',
  'BookgDt/Dt',
  'BookgDt/DtTm',
  'ValDt/Dt',
  'ValDt/DtTm',
  'AcctSvcrRef',
  'BkTxCd/Domn/Fmly/SubFmlyCd',
  'BkTxCd/Prtry/Cd',
  'NtryDtls/Btch/MsgId',
  'NtryDtls/Btch/PmtInfId',
  'NtryDtls/Btch/NbOfTxs',
  'AddtlNtryInf',
]);

const detailPaths = new Set([
  'Refs/MsgId',
  'Refs/PmtInfId',
  'Refs/AcctSvcrRef',
  'Refs/EndToEndId',
  'Amt',
  'Amt@Ccy',
  'AmtDtls/TxAmt/Amt',
  'AmtDtls/TxAmt/Amt@Ccy',
  'CdtDbtInd',
  ...party('Dbtr'),
  ...party('Cdtr'),
  'RmtInf/Ustrd',
  'RmtInf/Strd/CdtrRefInf/Ref',
  'AddtlTxInf',
  'RtrInf/Rsn/Cd',
  'RtrInf/Rsn/Prtry',
]);

const statementPaths = new Set([
  'Id',
  'ElctrncSeqNb',
  'LglSeqNb',
  'CpyDplctInd',
  'StmtPgntn/PgNb',
  'StmtPgntn/LastPgInd',
  'NtfctnPgntn/PgNb',
  'FrToDt/FrDtTm',
  'FrToDt/ToDtTm',
  'Acct/Id/IBAN',
  'Acct/Id/Othr/Id',
  'Acct/Ccy',
  'TxsSummry/TtlNtries/NbOfNtries',
]);

/** The element that contains the whole message, by kind of file. */
const messages = { 'camt.053': 'BkToCstmrStmt', 'camt.054': 'BkToCstmrDbtCdtNtfctn' } as const;
export type CamtMessage = keyof typeof messages;

/** The name of a statement's element, by kind of file. */
const statementNames = { 'camt.053': 'Stmt', 'camt.054': 'Ntfctn' } as const;

export function camtScopes(message: CamtMessage): ScopesGiven {
  const [by, statement] = [`Document/${messages[message]}`, statementNames[message]];
  return {
    GrpHdr: { within: '', by, paths: new Set(['MsgPgntn/PgNb', 'MsgPgntn/LastPgInd']) },
    [statement]: { within: '', by, paths: statementPaths },
    Bal: { within: statement, by: '', paths: new Set(['Tp/CdOrPrtry/Cd', 'Amt', 'Amt@Ccy', 'CdtDbtInd']) },
    Ntry: { within: statement, by: '', paths: entryPaths },
    TxDtls: { within: 'Ntry', by: 'NtryDtls', paths: detailPaths },
  };
}
