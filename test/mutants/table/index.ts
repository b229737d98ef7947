// The mutants written by hand, by the room of the line.

import type { Mutant } from '../mutant.ts';
import { accountsMutants } from './accounts.ts';
import { acquirerMutants } from './acquirer.ts';
import { bankfilesMutants } from './bankfiles.ts';
import { bankingMutants } from './banking.ts';
import { baseMutants } from './base.ts';
import { batchesMutants } from './batches.ts';
import { cardsMutants } from './cards.ts';
import { disputesMutants } from './disputes.ts';
import { httpMutants } from './http.ts';
import { identityMutants } from './identity.ts';
import { identityMutants2 } from './identity-2.ts';
import { ledgerMutants } from './ledger.ts';
import { marketplaceMutants } from './marketplace.ts';
import { notificationsMutants } from './notifications.ts';
import { othersMutants } from './others.ts';
import { outboundMutants } from './outbound.ts';
import { pagesMutants } from './pages.ts';
import { panelMutants } from './panel.ts';
import { paymentFileMutants } from './payment-files.ts';
import { payoutBlocksMutants } from './payout-blocks.ts';
import { payoutsMutants } from './payouts.ts';
import { payoutsApiMutants } from './payouts-api.ts';
import { reconciliationMutants } from './reconciliation.ts';
import { recurringMutants } from './recurring.ts';
import { refundsMutants } from './refunds.ts';
import { schemaMutants } from './schema.ts';
import { settlementsMutants } from './settlements.ts';
import { statementsMutants } from './statements.ts';
import { stripeMutants } from './stripe.ts';
import { transactionsMutants } from './transactions.ts';
import { transactionsMutants2 } from './transactions-2.ts';
import { treasuryMutants } from './treasury.ts';
import { verificationMutants } from './verification.ts';
import { walletMutants } from './wallet.ts';

export const table: readonly Mutant[] = [
  ...accountsMutants,
  ...acquirerMutants,
  ...bankingMutants,
  ...bankfilesMutants,
  ...baseMutants,
  ...batchesMutants,
  ...cardsMutants,
  ...disputesMutants,
  ...httpMutants,
  ...identityMutants,
  ...identityMutants2,
  ...ledgerMutants,
  ...marketplaceMutants,
  ...notificationsMutants,
  ...othersMutants,
  ...outboundMutants,
  ...pagesMutants,
  ...panelMutants,
  ...paymentFileMutants,
  ...payoutBlocksMutants,
  ...treasuryMutants,
  ...payoutsMutants,
  ...payoutsApiMutants,
  ...reconciliationMutants,
  ...recurringMutants,
  ...refundsMutants,
  ...schemaMutants,
  ...settlementsMutants,
  ...statementsMutants,
  ...stripeMutants,
  ...transactionsMutants,
  ...transactionsMutants2,
  ...verificationMutants,
  ...walletMutants,
];
