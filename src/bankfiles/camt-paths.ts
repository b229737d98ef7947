// Where the values of camt.053 and camt.054 are.

import type { Wanted } from './scopes.ts';

const party = (who: 'Dbtr' | 'Cdtr') => [
  `RltdPties/${who}/Nm`,
  `RltdPties/${who}/Pty/Nm`,
  `RltdPties/${who}Acct/Id/IBAN`,
  `RltdPties/${who}Acct/Id/Othr/Id`,
];

const statementPaths = new Set([
  'Id',
  'ElctrncSeqNb',
  'LglSeqNb',
  'StmtPgntn/PgNb',
  'NtfctnPgntn/PgNb',
  'FrToDt/FrDtTm',
  'FrToDt/ToDtTm',
  'Acct/Id/IBAN',
  'Acct/Id/Othr/Id',
  'Acct/Ccy',
]);

export const camtPaths: Wanted = {
  GrpHdr: new Set(['MsgId', 'MsgPgntn/PgNb']),
  Stmt: statementPaths,
  Ntfctn: statementPaths,
  Bal: new Set(['Tp/CdOrPrtry/Cd', 'Amt', 'Amt@Ccy', 'CdtDbtInd']),
  Ntry: new Set([
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
    'NtryRef',
    'BkTxCd/Domn/Fmly/SubFmlyCd',
    'BkTxCd/Prtry/Cd',
    'NtryDtls/Btch/MsgId',
    'NtryDtls/Btch/PmtInfId',
    'NtryDtls/Btch/NbOfTxs',
    'AddtlNtryInf',
  ]),
  TxDtls: new Set([
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
  ]),
};
