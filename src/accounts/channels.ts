// Payment channels and the groups in which payers see them (docs/decisions.md 4). Ids are strings in responses,
// integers in requests.

export interface Channel {
  readonly id: number;
  readonly groupId: number;
  readonly name: string;
  readonly refundable: boolean;
}

export const channels: readonly Channel[] = [
  { id: 21, groupId: 101, name: 'Bank transfer', refundable: true },
  { id: 53, groupId: 103, name: 'Card', refundable: true },
  { id: 64, groupId: 150, name: 'BLIK', refundable: true },
  { id: 75, groupId: 170, name: 'Wallet', refundable: true },
  // The third-party online wallet does not support refunds (interface, E4).
  { id: 106, groupId: 106, name: 'Online wallet', refundable: false },
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

/**
 * The enabled channels as shown by `GET /transactions/channels`; those in `unavailable` cannot be used at the moment.
 */
export function writeChannels(enabled: readonly number[], unavailable: readonly number[]) {
  return channels
    .filter(({ id }) => enabled.includes(id))
    .map(({ id, groupId, name, refundable }) => ({
      id: String(id),
      name,
      fullName: name,
      groups: [{ id: String(groupId), name }],
      available: !unavailable.includes(id),
      onlinePayment: true,
      refundable,
    }));
}

/** The enabled channels in the groups that payers see. */
export function writeBankGroups(enabled: readonly number[], baseUrl: string) {
  return channels
    .filter(({ id }) => enabled.includes(id))
    .map(({ id, groupId, name }) => ({
      id: String(groupId),
      name,
      img: `${baseUrl}/assets/methods/${groupId}.svg`,
      mainChannel: String(id),
      availablePaymentChannels: [String(id)],
    }));
}
