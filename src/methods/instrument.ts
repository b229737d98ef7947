// Turns the payment data of a request into what the acquirer charges. Reports all faults together; secrets stay secrets.

import { notValid } from '../../contract/codes/english/values.ts';
import { type AccountId, type Fault, Refusal, refuseFault } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { refuseOutsideLimits } from './limits.ts';
import { enabledMethod, methodOf, methods } from './list.ts';
import type {
  DataField,
  Method,
  MethodTools,
  PaymentData,
  Reading,
  ReadyInstrument,
  RepeatedToken,
  SetupTools,
} from './model.ts';
import { offeredChannels, refuseUnlessOffered } from './offered.ts';

/** In the order of payers. */
export const dataFields: readonly DataField[] = methods.flatMap(({ dataField }) => dataField ?? []);

export function methodOfData(field: DataField): Method {
  const found = methods.find(({ dataField }) => dataField === field);
  if (!found) throw new Error(`no method has ${field}`);
  return found;
}

/** Whether the request contains data that pays immediately, as opposed to a method that the payer continues with. */
export function hasPaymentData(data: PaymentData | undefined): boolean {
  return dataFields.some((field) => data?.[field]);
}

/** Read-only. Refuses a channel that is not enabled, and data of another one. */
export async function readInstrument(
  tools: MethodTools,
  enabled: readonly number[],
  channelId: number,
  reading: Reading,
): Promise<ReadyInstrument | RepeatedToken> {
  const method =
    enabledMethod(enabled, { id: channelId }) ?? refuseFault(notValid(`${reading.prefix}channelId`, 'enabled_method'));
  refuseStrayData(method, reading);
  const { merchantId, prefix } = reading;
  const amount = async () => (await reading.find()).amount;
  await refuseUnlessOffered(tools, { channelId: method.id, merchantId, amount }, prefix);
  if (method.limits) refuseOutsideLimits(method, (await reading.find()).amount, reading.prefix);
  return method.read(tools, reading);
}

/** Data of a method other than the chosen one is a fault: it must not be silently ignored. */
function refuseStrayData({ dataField }: Method, { data, prefix }: Reading): void {
  const faults = dataFields
    .filter((field) => data[field] !== undefined && field !== dataField)
    .map(
      (field): Fault => ({
        code: 'not_valid',
        field: `${prefix}${field}`,
        message: 'This data does not belong to the chosen channel.',
        devMessage: 'Remove the field, or choose the channel that it belongs to.',
      }),
    );
  if (faults.length > 0) throw new Refusal(faults);
}

/** Those of these channels that cannot be used at the moment: nobody offers them, or the account has not set them up. */
export async function unavailableChannels(
  tools: SetupTools & Pick<Tools, 'acquirers'>,
  channelIds: readonly number[],
  merchantId: AccountId,
): Promise<number[]> {
  const offered = await offeredChannels(tools, channelIds, merchantId);
  const not = await notSetUp(tools, offered, merchantId);
  return channelIds.filter((id) => not.includes(id) || !offered.includes(id));
}

async function notSetUp(tools: SetupTools, channelIds: readonly number[], merchantId: AccountId): Promise<number[]> {
  const missing = await Promise.all(
    channelIds.map(async (id) => {
      const setup = methodOf(id)?.setup;
      return !setup || (await setup.isDone(tools, merchantId)) ? [] : [id];
    }),
  );
  return missing.flat();
}
