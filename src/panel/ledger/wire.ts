// The ledger on screen and in files.

import { disputeReasonText } from '../../../contract/codes/dispute-reasons.ts';
import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import type { FileColumn } from '../../http/index.ts';
import { decimalFromMinor, localText } from '../../kernel/index.ts';
import type { MoveRow } from './read.ts';
import { ledgerFileWords } from './words.ts';

function netMinorOf({ amountMinor, feeMinor, commissionMinor, otherMinor }: MoveRow): bigint {
  return amountMinor + feeMinor + commissionMinor + otherMinor;
}

export function serializeMove(move: MoveRow) {
  return {
    journalId: move.journalId,
    at: move.at.toString(),
    kind: move.kind,
    transactionId: move.transactionId,
    title: move.title,
    hiddenDescription: move.hiddenDescription,
    isOwn: move.isOwn,
    reason: move.reason,
    amount: decimalFromMinor(move.amountMinor),
    fee: decimalFromMinor(move.feeMinor),
    commission: decimalFromMinor(move.commissionMinor),
    other: decimalFromMinor(move.otherMinor),
    net: decimalFromMinor(netMinorOf(move)),
    volume: decimalFromMinor(move.volumeMinor),
  };
}

export function moveColumns(zone: string, language: PanelLanguage): readonly FileColumn<MoveRow>[] {
  const words = ledgerFileWords[language];
  return [
    { title: words.time, cell: (move) => localText(move.at, zone) },
    { title: words.kind, cell: (move) => words[move.kind] },
    { title: words.amount, cell: (move) => ({ minor: move.amountMinor }) },
    { title: words.fee, cell: (move) => ({ minor: move.feeMinor }) },
    { title: words.commission, cell: (move) => ({ minor: move.commissionMinor }) },
    { title: words.otherAmount, cell: (move) => ({ minor: move.otherMinor }) },
    { title: words.net, cell: (move) => ({ minor: netMinorOf(move) }) },
    { title: words.title, cell: (move) => move.title },
    { title: words.hiddenDescription, cell: (move) => move.hiddenDescription },
    { title: words.transaction, cell: (move) => move.transactionId },
    { title: words.journal, cell: (move) => move.journalId },
    { title: words.reason, cell: ({ reason }) => reason && disputeReasonText(language, reason) },
  ];
}
