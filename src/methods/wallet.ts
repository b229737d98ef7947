// A card in the wallet of the payer's device: a token that is made for one amount and pays once (docs/wallet.md).

import { methods } from '../../contract/methods.ts';
import { type AccountId, refuse, Secret } from '../kernel/index.ts';
import type { UsedToken, WalletPayment } from '../wallet/index.ts';
import { byPayer, describe, usualRefund } from './describe.ts';
import { paymentFailed } from './failures.ts';
import type { MethodTools, Reading, ReadyInstrument, RepeatedToken, SetupTools } from './model.ts';
import { refuseUnlessSetUp } from './setup.ts';

const setup = {
  isDone: ({ wallet }: SetupTools, merchantId: AccountId) => wallet.isAvailable(merchantId),
  missing: 'Wallet payments are not set up for this account.',
};

export const wallet = describe('wallet', {
  dataField: 'walletPayPaymentData',
  read,
  form: 'wallet',
  refund: usualRefund,
  setup,
});

async function read(
  tools: MethodTools,
  { merchantId, data, prefix, find }: Reading,
): Promise<ReadyInstrument | RepeatedToken> {
  const field = `${prefix}walletPayPaymentData`;
  const token = data.walletPayPaymentData ?? refuse('field_required', field);
  await refuseUnlessSetUp(tools, { setup }, merchantId, prefix);
  const { amount, id, attemptId } = await find();
  const opened = await tools.wallet.open(merchantId, token, amount);
  const ready = 'payment' in opened ? readyWallet(opened.payment, opened.used) : null;
  const { earlier } = opened;
  if (earlier) {
    const isSame = earlier.transactionId === id || earlier.attemptId === attemptId;
    if (isSame) return { repeats: earlier.attemptId, ready };
    tools.wallet.reportReplay(merchantId, earlier);
    return refuseToken(field);
  }
  if (ready) return ready;
  if ('malformed' in opened && !opened.malformed) return refuseToken(field);
  const message = 'Must be a payment token: its paymentData object as JSON, encoded in base64.';
  return refuse(
    'not_valid',
    field,
    message,
    'Encode the paymentData object of the token exactly as the device gave it.',
  );
}

/** Which check failed is only logged, so that forgers learn nothing. */
export function refuseToken(field: string): never {
  const message = 'The wallet token was refused.';
  const devMessage =
    'Start a new wallet session: a token is valid for 5 minutes, for one transaction and for exactly its amount.';
  return refuse(paymentFailed, field, message, devMessage);
}

function readyWallet({ network, deviceNumber, expiry, cryptogram, eci }: WalletPayment, used: UsedToken) {
  const card = { network, number: deviceNumber, expiry: new Secret(expiry), cryptogram, eci };
  return { ...byPayer(methods.wallet.id, { kind: 'wallet', card }), walletToken: used };
}
