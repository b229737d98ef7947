// Mutants of outbound: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const outboundMutants: readonly Mutant[] = [
  {
    file: 'src/outbound/outbound.ts',
    line: 'if (first === undefined || !addresses.every((address) => allowed(address, policy))) {',
    instead: 'if (first === undefined || !addresses.some((address) => allowed(address, policy))) {',
    bug: 'a name with one public address leads into a private network',
    tests: {
      'src/outbound/vectors.test.ts': [
        'at sending: half.example.com (93.184.216.34,fd00::1)',
        'at sending: half4.example.com (2606:2800:220:1::1,10.0.0.1)',
      ],
    },
  },
  {
    file: 'src/outbound/outbound.ts',
    line: "if (this.#bytes > this.#bytesAtMost) this.stop('answer_too_large');",
    instead: '',
    bug: 'a response has no limit',
    tests: { 'src/outbound/outbound.test.ts': ['a response over the limit'] },
  },
  {
    file: 'src/outbound/outbound.ts',
    line: "const ended = later(limits.milliseconds, () => answer.stop('timed_out'));",
    instead: 'const ended = () => {};',
    bug: 'a response that never ends holds its connection for ever',
    tests: { 'src/outbound/outbound.test.ts': [] },
  },
  {
    file: 'src/outbound/policy.ts',
    line: "if (/^[^/?#]*\\/\\/[^/?#]*@/.test(text)) return 'credentials';",
    instead: '',
    bug: 'an address with a password is saved',
    tests: { 'src/outbound/classify.test.ts': ['https://user@shop.example.com/: credentials'] },
  },
  {
    file: 'src/outbound/classify.ts',
    line: "if (mappedList.check(address, 'ipv6')) return within(4, address, 'ipv6') ?? 'public';",
    instead: "if (mappedList.check(address, 'ipv6')) return 'public';",
    bug: 'a private IPv4 address in IPv6 is public',
    tests: { 'src/outbound/classify.test.ts': ['an IPv4 address in IPv6 is what it is in IPv4'] },
  },
  {
    file: 'src/outbound/hosts.ts',
    line: 'return hostShape.test(host) && isIP(host) === 0 && !/(^|\\.)(\\d+|0x[0-9a-f]*)$/.test(host);',
    instead: 'return hostShape.test(host) && isIP(host) === 0;',
    bug: 'an address in another notation is a host name',
    tests: { 'test/wallet/domains.test.ts': ['400: what is not a host name'] },
  },
];
