import type { Callback } from '../acquirer/index.ts';
import type { Tools } from '../tools.ts';
import { openCharges } from './charges/open.ts';
import { surplusPurpose } from './charges/surplus.ts';
import { openOutgoing } from './outgoing/open.ts';
import type { Parking } from './parking.ts';
import { returnJournals } from './store/verify.ts';
import { verifyBanking } from './verify.ts';

export type Banking = ReturnType<typeof openBanking>;

export function openBanking(tools: Tools) {
  const charges = openCharges(tools);
  const outgoing = openOutgoing(tools);
  outgoing.add(surplusPurpose(tools));
  return {
    name: 'banking',
    works: [...charges.works, ...outgoing.works],
    callback: async (callback: Callback, acquirer: string) => {
      switch (callback.kind) {
        case 'charge':
          return charges.callback(callback, acquirer);
        case 'refund':
          return outgoing.callback(callback, acquirer);
        case 'dispute':
          return false;
      }
    },
    parked: bothOf(charges.parked, outgoing.parked),
    journalKinds: returnJournals.kinds,
    verify: verifyBanking,
    charges,
    outgoing,
  };
}

function bothOf(one: Parking, other: Parking): Parking {
  return {
    list: async () => [...(await one.list()), ...(await other.list())],
    decide: async (id, decision) => (await one.decide(id, decision)) || other.decide(id, decision),
  };
}
