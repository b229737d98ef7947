// How responses show the methods: ids are strings there, integers in requests.

import { amountBounds } from '../../contract/schema.ts';
import { decimalFromMinor } from '../kernel/index.ts';
import { methodOf, methodsById } from './list.ts';
import type { Method } from './model.ts';

/** A channel and its group as responses name them; nulls while none is chosen. */
export function serializeChannel(id: number | null): { channelId: string | null; groupId: string | null } {
  const groupId = methodOf(id)?.groupId;
  return { channelId: id === null ? null : String(id), groupId: groupId === undefined ? null : String(groupId) };
}

interface LimitsMinor {
  readonly leastMinor: bigint;
  readonly mostMinor: bigint;
}

/** The narrower of what the method and the acquirers take. */
function constraintsOf({ limits: { least, most } = amountBounds }: Method, taken: LimitsMinor | undefined) {
  const min = taken ? Math.max(least, decimalFromMinor(taken.leastMinor)) : least;
  const max = taken ? Math.min(most, decimalFromMinor(taken.mostMinor)) : most;
  return [
    { field: 'amount' as const, type: 'min' as const, value: min },
    { field: 'amount' as const, type: 'max' as const, value: max },
  ];
}

/** The address of a group's picture, which its channel shares; served by src/pages. */
export function picturePath({ groupId }: Pick<Method, 'groupId'>): string {
  return `/assets/methods/${groupId}.svg`;
}

/**
 * The enabled channels as shown by `GET /transactions/channels`; those in `unavailable` cannot be used at the moment.
 */
export function serializeChannels(
  enabled: readonly number[],
  unavailable: readonly number[],
  taken: ReadonlyMap<number, LimitsMinor>,
  baseUrl: string,
) {
  return methodsById
    .filter(({ id }) => enabled.includes(id))
    .map((method) => {
      const { id, groupId, name, fullName, refund, instantRedirection } = method;
      const image = { url: `${baseUrl}${picturePath(method)}` };
      return {
        id: String(id),
        name,
        fullName,
        image,
        groups: [{ id: String(groupId), name, image }],
        available: !unavailable.includes(id),
        onlinePayment: true,
        instantRedirection,
        refundable: refund !== undefined,
        constraints: constraintsOf(method, taken.get(id)),
      };
    });
}

/** The enabled channels in the groups that payers see. */
export function serializeBankGroups(enabled: readonly number[], baseUrl: string) {
  return methodsById
    .filter(({ id }) => enabled.includes(id))
    .map((method) => ({
      id: String(method.groupId),
      name: method.name,
      img: `${baseUrl}${picturePath(method)}`,
      mainChannel: String(method.id),
      availablePaymentChannels: [String(method.id)],
    }));
}
