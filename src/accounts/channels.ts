// Payment channels and the groups in which payers see them (docs/decisions.md 4). Ids are strings in responses,
// integers in requests.

import { amountBounds } from '../../contract/schema.ts';

export interface Channel {
  readonly id: number;
  readonly groupId: number;
  readonly name: string;
  readonly fullName: string;
  readonly refundable: boolean;
  /** Whether the payer can be sent to the bank's page at once, without any payment data. */
  readonly instantRedirection: boolean;
}

export const channels: readonly Channel[] = [
  {
    id: 21,
    groupId: 101,
    name: 'Bank transfer',
    fullName: 'Instant bank transfer',
    refundable: true,
    instantRedirection: true,
  },
  { id: 53, groupId: 103, name: 'Card', fullName: 'Payment card', refundable: true, instantRedirection: false },
  { id: 64, groupId: 150, name: 'BLIK', fullName: 'BLIK', refundable: true, instantRedirection: false },
  {
    id: 75,
    groupId: 170,
    name: 'Wallet',
    fullName: 'Wallet on this device',
    refundable: true,
    instantRedirection: false,
  },
  // The third-party online wallet does not support refunds (interface, E4).
  {
    id: 106,
    groupId: 106,
    name: 'Online wallet',
    fullName: 'Online wallet',
    refundable: false,
    instantRedirection: true,
  },
];

export const allChannelIds: readonly number[] = channels.map((channel) => channel.id);

/** The channel by its own id or its group's, if the account has it. */
export function enabledChannel(
  enabled: readonly number[],
  by: { id: number } | { groupId: number },
): Channel | undefined {
  return channels.find(
    (channel) => enabled.includes(channel.id) && ('id' in by ? channel.id === by.id : channel.groupId === by.groupId),
  );
}

/** A channel and its group as responses name them; nulls while none is chosen. */
export function writeChannel(id: number | null): { channelId: string | null; groupId: string | null } {
  const groupId = channels.find((channel) => channel.id === id)?.groupId;
  return { channelId: id === null ? null : String(id), groupId: groupId === undefined ? null : String(groupId) };
}

/** The amounts that every channel takes: those of a transaction. */
const constraints = [
  { field: 'amount' as const, type: 'min' as const, value: amountBounds.least },
  { field: 'amount' as const, type: 'max' as const, value: amountBounds.most },
];

/** The picture of a group, which its channel shares; served by src/pages. */
function pictureOf(baseUrl: string, groupId: number): string {
  return `${baseUrl}/assets/methods/${groupId}.svg`;
}

/**
 * The enabled channels as shown by `GET /transactions/channels`; those in `unavailable` cannot be used at the moment.
 */
export function writeChannels(enabled: readonly number[], unavailable: readonly number[], baseUrl: string) {
  return channels
    .filter(({ id }) => enabled.includes(id))
    .map(({ id, groupId, name, fullName, refundable, instantRedirection }) => {
      const image = { url: pictureOf(baseUrl, groupId) };
      return {
        id: String(id),
        name,
        fullName,
        image,
        groups: [{ id: String(groupId), name, image }],
        available: !unavailable.includes(id),
        onlinePayment: true,
        instantRedirection,
        refundable,
        constraints,
      };
    });
}

/** The enabled channels in the groups that payers see. */
export function writeBankGroups(enabled: readonly number[], baseUrl: string) {
  return channels
    .filter(({ id }) => enabled.includes(id))
    .map(({ id, groupId, name }) => ({
      id: String(groupId),
      name,
      img: pictureOf(baseUrl, groupId),
      mainChannel: String(id),
      availablePaymentChannels: [String(id)],
    }));
}
