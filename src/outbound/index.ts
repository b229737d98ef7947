// Requests to addresses given by merchants: the only module that connects to them.
// Guarantees: no private address is reached, unless the policy allows it; every request ends by its deadline.
export { classify } from './classify.ts';
export { addressFaults } from './faults.ts';
export { type HostAndPort, isHostName, readHosts } from './hosts.ts';
export {
  type ClientIdentity,
  type Outbound,
  type OutboundFault,
  type OutboundLimits,
  openOutbound,
  type Posted,
} from './outbound.ts';
export type { OutboundPolicy } from './policy.ts';
