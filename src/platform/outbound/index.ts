export type { AddressKind } from './classify.ts';
export { classify } from './classify.ts';
export { addressFaults } from './faults.ts';
export type { Outbound, OutboundFault, OutboundLimits, OutboundOptions, Posted } from './outbound.ts';
export { openOutbound } from './outbound.ts';
export type { AddressRefusal, OutboundPolicy } from './policy.ts';
export { checkAddress } from './policy.ts';
export type { Resolve } from './resolve.ts';
export { systemResolve } from './resolve.ts';
