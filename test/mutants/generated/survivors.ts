// Generated mutants that no test can notice, or that need none: the line, how many of its mutants survive, and why. A run
// names those that are missing here, and those that are here and do not survive any more.

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: lines of code, as they stand

export interface Survivors {
  readonly line: string;
  readonly count: number;
  readonly why: string;
}

export const survivors: Readonly<Record<string, readonly Survivors[]>> = {
  'src/kernel/money.ts': [
    {
      line: "const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');",
      count: 2,
      why: 'both ways give the same at the boundary',
    },
  ],
  'src/kernel/canonical.ts': [
    {
      line: 'const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));',
      count: 2,
      why: 'keys of an object are never equal, and the size of a positive number does not matter to sort',
    },
  ],
  'src/kernel/instants.ts': [
    { line: "let latestZone = '';", count: 1, why: 'overwritten before it is read: no second is NaN' },
    { line: "let latestText = '';", count: 1, why: 'overwritten before it is read: no second is NaN' },
    { line: 'const zoneShape = /^[A-Za-z][A-Za-z0-9/_+-]*$/;', count: 2, why: 'another check refuses the same' },
    {
      line: 'Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);',
      count: 1,
      why: 'another check refuses the same',
    },
    { line: "new Intl.DateTimeFormat('en', { timeZone: zone });", count: 1, why: 'another check refuses the same' },
  ],
  'src/kernel/ulid.ts': [
    {
      line: 'const value = valueOfCode.get(id.charCodeAt(index)) ?? Number.NaN;',
      count: 1,
      why: 'what is undefined adds up to NaN as well',
    },
    {
      line: 'for (let index = 0; index < form.length; index += 1) {',
      count: 1,
      why: 'what is written behind the end is lost or overwritten, and the first character is set apart',
    },
    {
      line: 'const time = new Uint8Array(10);',
      count: 1,
      why: 'what is written behind the end is lost or overwritten, and the first character is set apart',
    },
    {
      line: 'if (epochMilliseconds === timeOf) return;',
      count: 1,
      why: 'only faster or slower: the result is the same',
    },
    { line: 'timeOf = epochMilliseconds;', count: 1, why: 'only faster or slower: the result is the same' },
    {
      line: 'for (let index = 0; index < 10; index += 1) drawn[index] = time[index] ?? 0;',
      count: 2,
      why: 'what is written behind the end is lost or overwritten, and the first character is set apart',
    },
    {
      line: 'for (let index = 0; index < 16; index += 1) drawn[index + 10] = codes[(random[index] ?? 0) & 31] ?? 0;',
      count: 2,
      why: 'what is written behind the end is lost or overwritten, and the first character is set apart',
    },
    {
      line: 'const valueOfHex = Uint8Array.from({ length: 128 }, (_, code) =>',
      count: 1,
      why: 'no digest has that character',
    },
    {
      line: 'for (let index = 0; index < 26; index += 1) {',
      count: 3,
      why: 'what is written behind the end is lost or overwritten, and the first character is set apart',
    },
  ],
  'src/recurring/schedule.ts': [
    { line: 'const dayMilliseconds = 86_400_000;', count: 1, why: 'the exact comparison follows' },
    {
      line: "const atLeastDays = unit === 'days' ? count - 1 : count * 28;",
      count: 3,
      why: 'the exact comparison follows',
    },
    {
      line: 'if (from.epochMilliseconds + atLeastDays * dayMilliseconds > lastMillisecond) return endOfCalendar;',
      count: 1,
      why: 'the exact comparison follows',
    },
    {
      line: 'return at.epochMilliseconds > lastMillisecond ? endOfCalendar : at.toInstant();',
      count: 1,
      why: 'both ways give the same at the boundary',
    },
    {
      line: 'return steps === 0 ? plan.firstChargeAt : later(plan.firstChargeAt, steps, plan.intervalType, plan.zone);',
      count: 1,
      why: 'nothing added is the same instant',
    },
    { line: 'let step = 1;', count: 1, why: 'the search begins or halves elsewhere, and finds the same' },
    {
      line: 'while (isBefore(iteration + step - 1)) step *= 2;',
      count: 2,
      why: 'the search begins or halves elsewhere, and finds the same',
    },
    {
      line: 'let [low, high] = [iteration - 1, iteration + step - 1];',
      count: 2,
      why: 'the search begins or halves elsewhere, and finds the same',
    },
    {
      line: 'const middle = Math.floor((low + high) / 2);',
      count: 1,
      why: 'the search begins or halves elsewhere, and finds the same',
    },
    {
      line: "const { value: delay, unit } = retries[number - 1] ?? { value: 0, unit: 'days' };",
      count: 3,
      why: 'the compiler asks for it, and it never happens',
    },
  ],
  'src/ledger/chain.ts': [
    { line: 'export const sealedAtOnce = 1_000;', count: 1, why: 'the size of a batch' },
    { line: 'const setsAtMost = 1_000;', count: 1, why: 'far more than ever wait' },
    { line: 'const sealed = Buffer.alloc(65_536);', count: 1, why: 'longer ones have a buffer of their own' },
    {
      line: 'const buffer = bytes > sealed.length ? Buffer.alloc(bytes) : sealed;',
      count: 2,
      why: 'only faster or slower: the result is the same',
    },
    {
      line: "buffer.write(place, hashBytes, 'latin1');",
      count: 1,
      why: 'digits and letters of ids are the same in UTF-8',
    },
  ],
  'src/ledger/rules.ts': [
    {
      line: 'const share = (amountMinor * BigInt(fee.basisPoints) + 5_000n) / 10_000n;',
      count: 1,
      why: 'no product of whole basis points lies between',
    },
  ],
  'src/transactions/rules.ts': [
    { line: "export const triedElsewhere = 'not reached';", count: 1, why: 'a word that is only compared with itself' },
    {
      line: 'return groupId === undefined ? undefined : enabledMethod(enabled, { groupId });',
      count: 1,
      why: 'no method has the group or channel undefined',
    },
    {
      line: 'if (!request || (channelId === undefined && groupId === undefined) || namedChannel(request, enabled)) return [];',
      count: 1,
      why: 'no method has the group or channel undefined',
    },
  ],
  'src/recurring/pace.ts': [
    {
      line: 'const left = this.#left.get(acquirer) ?? 0;',
      count: 1,
      why: 'what is undefined is no more than zero either',
    },
  ],
  'src/disputes/rules.ts': [
    {
      line: 'export const patience = Temporal.Duration.from({ hours: 72 });',
      count: 1,
      why: 'a limit: an hour more does not matter',
    },
    {
      line: 'export const decidedWithin = Temporal.Duration.from({ hours: 90 * 24 });',
      count: 2,
      why: 'a limit: a day more does not matter',
    },
    {
      line: 'export const correctedWithin = Temporal.Duration.from({ hours: 30 * 24 });',
      count: 2,
      why: 'a limit: a day more does not matter',
    },
    {
      line: 'const notBelowZero = (minor: bigint) => (minor < 0n ? 0n : minor);',
      count: 1,
      why: 'nothing is nothing both ways',
    },
  ],
  'src/disputes/shares.ts': [
    {
      line: 'const moves = sharing.disputes.map(({ id, borne }) => [id, movesOf(borne, shares.get(id) ?? [])] as const);',
      count: 1,
      why: 'every dispute has its shares',
    },
    {
      line: 'return new Map(moves.filter(([, taken]) => taken.length > 0));',
      count: 1,
      why: 'what one gets another one gives: there are none, or two and more',
    },
    { line: 'if (minor > 0n) {', count: 1, why: 'of nothing both ways take nothing' },
    { line: 'const sign = minor < 0n ? -1n : 1n;', count: 2, why: 'of nothing both ways take nothing' },
    {
      line: 'const those = all.filter((one) => one.minor * sign > 0n);',
      count: 2,
      why: 'the sign is 1 or -1, and none of them is 0',
    },
    { line: 'minor * sign,', count: 1, why: 'the sign is 1 or -1' },
    { line: 'those.map((one) => one.minor * sign),', count: 1, why: 'the sign is 1 or -1' },
    {
      line: 'return together(those.map(({ accountId }, index) => ({ accountId, minor: (parts[index] ?? 0n) * sign })));',
      count: 1,
      why: 'the sign is 1 or -1',
    },
  ],
  'src/marketplace/rules.ts': [
    { line: 'if (known) return known;', count: 2, why: 'only faster or slower: the result is the same' },
    { line: 'if (!products) return undefined;', count: 1, why: 'only parts with the product are asked' },
    { line: 'const open = products', count: 1, why: 'a line of which nothing is left gives nothing' },
    { line: '.filter(({ left }) => left > 0n)', count: 1, why: 'a line of which nothing is left gives nothing' },
    { line: 'this.#stocks.set(externalId, stock);', count: 1, why: 'only faster or slower: the result is the same' },
    {
      line: 'for (let after = next[at] ?? at; after !== at; after = next[at] ?? at) {',
      count: 3,
      why: 'the compiler asks for it, and it never happens',
    },
    { line: 'next[at] = next[after] ?? after;', count: 1, why: 'the compiler asks for it, and it never happens' },
    {
      line: 'const missing = target > commissionReturnedMinor ? target - commissionReturnedMinor : 0n;',
      count: 1,
      why: 'both ways give the same at the boundary',
    },
    { line: 'this.#offers.set(externalId, offer);', count: 1, why: 'only faster or slower: the result is the same' },
    { line: 'return stock ? [{ part, stock }] : [];', count: 1, why: 'only parts with the product are asked' },
    { line: 'for (let at = offer.first; rest > 0n; at += 1) {', count: 1, why: 'nothing is taken of nothing' },
    {
      line: 'if (at === offer.first && isUsedUp(from.stock)) offer.first += 1;',
      count: 4,
      why: 'only faster or slower: the result is the same',
    },
  ],
  'src/banking/outgoing/rules.ts': [
    {
      line: 'const { checks: looks, otherAmounts } = afterLook({ ...outgoing, timesNotFound: 0 }, step.because);',
      count: 1,
      why: 'it is not read',
    },
  ],
  'src/accounts/rules.ts': [
    {
      line: "return /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(authorization ?? '')?.[1];",
      count: 2,
      why: 'the compiler asks for it, and it never happens',
    },
    {
      line: "const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1];",
      count: 2,
      why: 'the compiler asks for it, and it never happens',
    },
    {
      line: 'return after.reduce((latest, at) => (Temporal.Instant.compare(at, latest) > 0 ? at : latest), now);',
      count: 1,
      why: 'both ways give the same at the boundary',
    },
  ],
  'src/identity/session/rules.ts': [
    { line: 'export const linksPerUser = 50;', count: 1, why: 'any number far above what a person asks for' },
    {
      line: "const [local = '', host = ''] = email.toLowerCase().split('@', 2);",
      count: 1,
      why: 'an address has one @',
    },
    {
      line: 'let plain = rest.replaceAll(/[@431!0$57]/g, (sign) => letters[sign] ?? sign);',
      count: 1,
      why: 'the compiler asks for it, and it never happens',
    },
  ],
  'src/panel/overview/rules.ts': [
    {
      line: 'points.push({ from: start, to: Temporal.PlainDate.compare(last, to) < 0 ? last : to });',
      count: 2,
      why: 'both ways give the same at the boundary',
    },
    {
      line: 'const size = percentOf(difference < 0n ? -difference : difference, before) ?? 0;',
      count: 4,
      why: 'there was something before, and zero has no sign',
    },
  ],
  'src/cards/rules.ts': [
    {
      line: 'if (!match || number.length < 12 || number.length > 19 || !passesLuhn(number)) return undefined;',
      count: 1,
      why: 'a text without a match has no number',
    },
    { line: 'sum += doubled > 9 ? doubled - 9 : doubled;', count: 1, why: 'a remainder of zero has no sign' },
    {
      line: "expiry: month === '' ? '' : `${month.padStart(2, '0')}/${year}`,",
      count: 3,
      why: 'any other text is no date either',
    },
  ],
  'src/notifications/delivery/rules.ts': [
    {
      line: 'const draw = Buffer.from(random.bytes(4)).readUInt32LE() / 0xffff_ffff;',
      count: 2,
      why: 'a difference of a fraction of a millisecond; a fifth byte is not read',
    },
    { line: 'const status = posted.status ?? 0;', count: 2, why: 'the compiler asks for it, and it never happens' },
  ],
  'src/notifications/delivery/lane.ts': [
    {
      line: 'return !this.proven || now.epochMilliseconds - (this.#idleSince?.epochMilliseconds ?? 0) > rememberedMilliseconds;',
      count: 2,
      why: 'the compiler asks for it, and it never happens',
    },
  ],
  'src/wallet/domains/rules.ts': [
    {
      line: 'parameters: { status: status ?? 0, path: associationPath },',
      count: 2,
      why: 'the compiler asks for it, and it never happens',
    },
    {
      line: "status === null && fault !== 'certificate_refused' ? unreachable(fault ?? 'connection_failed') : undefined,",
      count: 1,
      why: 'the compiler asks for it, and it never happens',
    },
    {
      line: 'return status !== null && status >= from && status <= to;',
      count: 1,
      why: 'the compiler asks for it, and it never happens',
    },
  ],
  'src/wallet/token/chain.ts': [
    {
      line: "if (!signers.some(({ certificate }) => isValidAt(certificate, at))) fail('root_not_valid_now');",
      count: 1,
      why: 'the vendor of the tests has one root, and keys of P-256',
    },
    {
      line: "return knownKeyOn(intermediate.publicKey, 'P-256', 'P-384') ?? fail('intermediate_key');",
      count: 1,
      why: 'the vendor of the tests has one root, and keys of P-256',
    },
  ],
  'src/identity/audit/rules.ts': [
    {
      line: 'row.ofPosition === null ? null : String(row.ofPosition),',
      count: 1,
      why: 'null and the text "null": no position is that',
    },
    {
      line: '{ characters: 500, items: 100 },',
      count: 1,
      why: 'how much is kept of what is long, by one character or item',
    },
    {
      line: 'if (text.length <= detailsAtMost) return text;',
      count: 1,
      why: 'how much is kept of what is long, by one character or item',
    },
    {
      line: 'if (textOf(shorter).length <= detailsAtMost) return textOf(shorter);',
      count: 1,
      why: 'how much is kept of what is long, by one character or item',
    },
    {
      line: "return (JSON.stringify(value) ?? '{}').toWellFormed();",
      count: 2,
      why: 'the compiler asks for it, and it never happens',
    },
    {
      line: "const note = typeof last === 'string' && /^… \\(\\d+ items\\)$/.test(last) ? last : `… (${value.length} items)`;",
      count: 1,
      why: 'a text of anything else is no such note',
    },
    {
      line: 'return value.length > cut.items ? [...first, note] : first;',
      count: 1,
      why: 'how much is kept of what is long, by one character or item',
    },
    {
      line: 'if (room >= 0) shown.set(name, `… (${textOf(inner).length} characters)`);',
      count: 2,
      why: 'how much is kept of what is long, by one character or item',
    },
    {
      line: 'if (room >= 0 && shown.has(name)) shown.set(name, inner);',
      count: 3,
      why: 'how much is kept of what is long, by one character or item',
    },
  ],
  'src/identity/mask.ts': [
    {
      line: 'if (text.length < shortestSecret) return text;',
      count: 1,
      why: 'only faster or slower: the result is the same',
    },
    {
      line: 'const given = Math.max(1, Math.floor(room.left / among));',
      count: 1,
      why: 'how much is kept of what is long',
    },
    {
      line: 'while (shown.length < Math.min(list.length, itemsAtMost) && room.left > 0) {',
      count: 1,
      why: 'how much is kept of what is long',
    },
    {
      line: 'if (text.length <= textAtMost && /^\\s*[[{]/.test(text)) {',
      count: 2,
      why: 'what is no JSON is not looked into',
    },
    {
      line: 'while (end > 0 && /[^\\p{L}&?/,;"]/u.test(text.charAt(end - 1))) end -= 1;',
      count: 2,
      why: 'nothing stands before the beginning',
    },
    {
      line: 'if (text.length < cardDigits) return value;',
      count: 1,
      why: 'only faster or slower: the result is the same',
    },
    {
      line: "for (let times = 0; times < decodedAtMost && plain.includes('%'); times += 1) plain = decoded(plain);",
      count: 2,
      why: 'only faster or slower: the result is the same',
    },
    {
      line: "return rest.length === 0 ? maskedEncoded(pair) : `${maskedEncoded(name)}=${maskedEncoded(rest.join('='))}`;",
      count: 1,
      why: 'name and value are masked like the whole',
    },
  ],
  'src/identity/mask-names.ts': [
    {
      line: "if (/^[a-z]+\\d*$/.test(name)) return [name.replace(/\\d+$/, '')];",
      count: 2,
      why: 'only faster or slower: the result is the same',
    },
    { line: 'return name', count: 1, why: 'digits stand at the end of words, and an empty word means nothing' },
    {
      line: ".map((word) => word.replace(/\\d+$/, ''))",
      count: 1,
      why: 'digits stand at the end of words, and an empty word means nothing',
    },
    {
      line: ".filter((word) => word !== '');",
      count: 1,
      why: 'digits stand at the end of words, and an empty word means nothing',
    },
    {
      line: "const codeWords = new Set(['code', 'codes', 'kod', 'kody']);",
      count: 1,
      why: 'another pattern has its forms',
    },
    {
      line: "return secretNames.has(words.join('')) || withDigit.test(read) || saysSecret(words);",
      count: 1,
      why: 'names of several words are secret by another rule',
    },
    {
      line: "return secretInside.has(wordsOf(name.slice(0, nameLengthAtMost)).join(''));",
      count: 1,
      why: 'names of several words are secret by another rule',
    },
    {
      line: "if (words.at(-1) === 'session' || words.join('') === 'sessionkey') return true;",
      count: 1,
      why: 'a name of two words ends with its second',
    },
  ],
  'src/identity/mask-cards.ts': [
    {
      line: 'for (let first = 0; first < groups.length; first += 1) {',
      count: 1,
      why: 'an end of the search that another condition has too',
    },
    {
      line: 'from = groups[last]?.end ?? run.length;',
      count: 1,
      why: 'the compiler asks for it, and it never happens',
    },
    { line: 'first = last;', count: 1, why: 'no card begins within a card' },
    {
      line: 'for (let last = first; last < groups.length && digits.length < 19; last += 1) {',
      count: 4,
      why: 'an end of the search that another condition has too',
    },
    {
      line: 'if (digits.length > 1 && !cardStart.test(digits)) return undefined;',
      count: 3,
      why: 'an end of the search that another condition has too',
    },
    {
      line: 'sum += place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;',
      count: 1,
      why: 'a remainder of zero has no sign',
    },
  ],
  'src/outbound/classify.ts': [
    {
      line: "const mapped: readonly Subnet[] = [['::ffff:0:0', 96]];",
      count: 1,
      why: 'the upper half of IPv4 is in both lists',
    },
    {
      line: "const family = address.includes('%') ? 0 : isIP(address);",
      count: 1,
      why: 'the family is read from the address',
    },
    {
      line: "if (mappedList.check(address, 'ipv6')) return within(4, address, 'ipv6') ?? 'public';",
      count: 2,
      why: 'the family is read from the address',
    },
    {
      line: "return within(6, address, 'ipv6') ?? (globalUnicastList.check(address, 'ipv6') ? 'public' : 'special');",
      count: 2,
      why: 'the family is read from the address',
    },
  ],
  'src/outbound/policy.ts': [
    {
      line: "if (!/^https?:\\/\\/[^/]/i.test(text)) return 'unreadable';",
      count: 1,
      why: 'another check refuses the same',
    },
    {
      line: "if (/^[^/?#]*\\/\\/[^/?#]*@/.test(text)) return 'credentials';",
      count: 1,
      why: 'another check refuses the same',
    },
  ],
  'src/panel/requests/rules.ts': [
    {
      line: 'return text.length <= lengthAtMost ? text : Buffer.from(text.slice(0, lengthAtMost)).toString();',
      count: 2,
      why: 'a copy of the whole text',
    },
  ],
  'src/pages/pay/rules.ts': [
    {
      line: "return method === 'all' ? 'all' : methods.find(({ id }) => String(id) === method)?.id;",
      count: 1,
      why: 'no method has such an id',
    },
    {
      line: 'return methods.filter((one) => merchant.channels.includes(one.id) && allowsAmount(one, transaction.amount));',
      count: 1,
      why: 'no method has a limit yet',
    },
    {
      line: "const method = single && chosen !== 'all' ? offered.find(({ id }) => id === likely) : undefined;",
      count: 2,
      why: 'no method has such an id',
    },
    {
      line: 'const shortestMonthMilliseconds = 28 * 24 * 3_600_000;',
      count: 2,
      why: 'only faster or slower: the result is the same',
    },
    {
      line: 'if (now.epochMilliseconds - transaction.createdAt.epochMilliseconds < shortestMonthMilliseconds) return false;',
      count: 2,
      why: 'only faster or slower: the result is the same',
    },
  ],
  'src/acquirer/rules.ts': [
    {
      line: "export const routeStatuses = ['followed', 'not_offered', 'switched_off', 'not_open'] as const;",
      count: 4,
      why: 'types compare it with the words of the dictionaries',
    },
    {
      line: 'return (merchantId === null ? 0 : 4) + (channelId === null ? 0 : 2) + (currency === null ? 0 : 1);',
      count: 1,
      why: 'another number that is also more than the others together',
    },
    {
      line: 'return one.id < other.id ? -1 : 1;',
      count: 2,
      why: 'no two routes have the same id, and the size of a positive number does not matter to sort',
    },
  ],
  'src/wallet/session/validation-url.ts': [
    {
      line: "if (!isHostName(host) || !hosts.some((known) => known.host === host)) return { fault: 'host' };",
      count: 1,
      why: 'configured hosts are host names: readHosts refuses others',
    },
    {
      line: 'if (!/^[1-9]\\d{0,4}$/.test(port) || !hosts.some((known) => known.host === host && known.port === Number(port)))',
      count: 1,
      why: 'a longer port is no configured one',
    },
    {
      line: "return url?.hostname === host && Number(url.port || httpsPort) === Number(port) ? { url } : { fault: 'unreadable' };",
      count: 4,
      why: 'a second look at what the parser made of it: no text is known that passes the first and not this',
    },
  ],
  'src/reconciliation/judge.ts': [
    {
      line: "if (booked.ownMinor !== null && booked.ownMinor === bank && !isReturning(known)) return { kind: 'revert' };",
      count: 1,
      why: 'nothing is not an amount: the compiler asks',
    },
    {
      line: "return kind !== 'payout_returned' || (askedMinor !== null && (bankMinor ?? 0n) <= askedMinor);",
      count: 3,
      why: 'what the bank does not have, or of which nothing moved, was judged before',
    },
  ],
  'src/reconciliation/rules.ts': [
    { line: 'owed > 0n', count: 1, why: 'nothing to be corrected ended before' },
    {
      line: "if (decision !== 'not-captured' && decision.capturedMinor === once) return { kind: 'close', outcome: 'confirmed' };",
      count: 2,
      why: 'a text has no amount: the compiler asks',
    },
    {
      line: "if (decision !== 'not-captured' && decision.capturedMinor === bank) return { kind: 'promise' };",
      count: 2,
      why: 'a text has no amount: the compiler asks',
    },
    {
      line: 'const sizeOf = (minor: bigint) => (minor < 0n ? -minor : minor);',
      count: 2,
      why: 'both ways give the same at the boundary',
    },
    {
      line: 'return isKeyed(kind) && !isOwnKind(kind);',
      count: 1,
      why: "lines of the acquirer's own were decided before",
    },
  ],
  'src/stripe/rules.ts': [
    {
      line: "const expiry = `${String(month).padStart(2, '0')}/${String(year).slice(-2)}`;",
      count: 1,
      why: 'years have four digits',
    },
  ],
  'src/bankfiles/reference.ts': [
    {
      line: 'if (!wordAnywhere.test(title.slice(word.length))) return true;',
      count: 1,
      why: 'only faster: what follows finds the same',
    },
    { line: 'if (!wordAnywhere.test(text)) return [];', count: 1, why: 'only faster: what follows finds the same' },
  ],
  'src/bankfiles/encoding.ts': [
    {
      line: "return name === 'CP852' ? cp852 : new TextDecoder(labels[name] ?? name, { fatal: true });",
      count: 1,
      why: 'the platform takes both names',
    },
    {
      line: 'Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)).charCodeAt(0), byte]),',
      count: 1,
      why: 'the byte after the last is the first again',
    },
    { line: 'if (code < asciiCodes) continue;', count: 2, why: 'only faster: the table has them too' },
  ],
  'src/bankfiles/payments/letters.ts': [
    { line: 'const rememberedAtMost = 1_000;', count: 1, why: 'a limit: one more or less does not matter' },
    {
      line: "const inClass = [...this.#accepted].map((character) => RegExp.escape(character)).join('');",
      count: 1,
      why: 'the letters between them are accepted anyway',
    },
    {
      line: "this.#plain = new RegExp(`^(?:[${inClass}]+(?: [${inClass}]+)*)?$`, 'u');",
      count: 1,
      why: 'no profile has a character of two code units',
    },
    { line: "if (this.#plain.test(text)) return { text, unknown: '' };", count: 1, why: 'only faster' },
    {
      line: 'if (this.#remembered.has(character)) return this.#remembered.get(character);',
      count: 1,
      why: 'only faster',
    },
    {
      line: 'if (this.#remembered.size < rememberedAtMost) this.#remembered.set(character, own);',
      count: 4,
      why: 'only faster, and how much is remembered',
    },
    {
      line: "return symbol !== undefined && this.#accepted.has(symbol) ? symbol : ' ';",
      count: 1,
      why: 'undefined is no character that is accepted',
    },
  ],
  'src/bankfiles/payments/rules.ts': [
    { line: 'if (!writing) {', count: 1, why: 'only faster' },
    { line: 'writings.set(profile, writing);', count: 1, why: 'only faster' },
    {
      line: 'const character = lacking.size === 0 ? undefined : [...written].find((one) => lacking.has(one));',
      count: 1,
      why: 'only faster',
    },
  ],
  'src/bankfiles/payments/elixir0.ts': [
    { line: 'if (end < 0) return cut(text);', count: 2, why: 'no text begins with a space' },
    {
      line: 'const cut = (text: string) => text.match(everyLine) ?? [];',
      count: 1,
      why: 'a text of more than one line has characters',
    },
  ],
  'src/bankfiles/payments/pain001.ts': [
    {
      line: 'const escaped = (text: string) => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);',
      count: 1,
      why: 'each of them has an entity',
    },
  ],
  'src/bankfiles/payments/write.ts': [
    { line: 'const pieceLength = 65_536;', count: 1, why: 'a limit: one more or less does not matter' },
    { line: 'if (text.length >= pieceLength) {', count: 1, why: 'a limit: one more or less does not matter' },
  ],
  'src/bankfiles/values.ts': [
    {
      line: "const date = `${text < '80' ? '20' : '19'}${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`;",
      count: 2,
      why: 'the next line refuses a seventh digit, and a year alone',
    },
  ],
  'src/bankfiles/dates.ts': [
    {
      line: 'if (!/^\\d{4}-\\d\\d-\\d\\d$/.test(text)) return false;',
      count: 3,
      why: 'what calls it cuts the text to ten characters or has made it of digits',
    },
    {
      line: 'const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];',
      count: 1,
      why: 'whether a year leaps depends on its last three digits within the centuries that are tested',
    },
  ],
  'src/bankfiles/camt.ts': [
    {
      line: "const code = scope.find('Tp/CdOrPrtry/Cd') ?? '';",
      count: 2,
      why: 'no balance that is used has such a code',
    },
    {
      line: "if (code === 'ITBD') this.#interim = [...this.#interim.slice(0, 1), scope];",
      count: 1,
      why: 'only the first and the last are used',
    },
    { line: "return this.#opening?.find('Amt@Ccy') ?? null;", count: 1, why: 'who asks takes both for nothing' },
    { line: "#statement = new Scope('');", count: 1, why: 'replaced before it is read' },
    { line: 'if (!entry || !isBooked(entry)) return;', count: 1, why: 'the compiler asks for it: there always is one' },
    {
      line: 'const next = isLast || closingMinor === null ? undefined : edgeOf(statement, closingMinor, page + 1);',
      count: 1,
      why: 'every statement with pages has a closing balance',
    },
  ],
  'src/bankfiles/camt-entry.ts': [
    {
      line: "const numbers = scope.all('NtryDtls/Btch/NbOfTxs').map((text) => numberFrom(text, 'Btch/NbOfTxs') ?? 0);",
      count: 2,
      why: 'the compiler asks for it: there always is one',
    },
    {
      line: "const indicator = detail.find('CdtDbtInd') ?? (line.amountMinor < 0n ? 'DBIT' : 'CRDT');",
      count: 2,
      why: 'a zero amount is the same in both directions',
    },
    {
      line: 'if (this.#first) return this.#only(this.#first, line, said ?? 1);',
      count: 1,
      why: 'nothing is not more than one either',
    },
    {
      line: 'const amountMinor = hasAmount ? (detailMinor(detail, line, this.#currency) ?? 0n) : line.amountMinor;',
      count: 2,
      why: 'the compiler asks for it: there always is one',
    },
  ],
  'src/bankfiles/scopes.ts': [
    { line: 'const lines = /\\/Ustrd$/;', count: 1, why: 'no path has this in its middle' },
    {
      line: 'const repeated = /^(?:RmtInf|StsRsnInf|NtryDtls\\/Btch)\\//;',
      count: 1,
      why: 'no path has this in its middle',
    },
    { line: 'const textAtMost = 20_000;', count: 1, why: 'a limit: one more or less does not matter' },
    { line: 'const charactersAtMost = 65_536;', count: 1, why: 'a limit: one more or less does not matter' },
    { line: '#characters = 0;', count: 1, why: 'a limit: one more or less does not matter' },
    {
      line: 'if (this.#characters > charactersAtMost) throw tooLong();',
      count: 1,
      why: 'a limit: one more or less does not matter',
    },
    {
      line: 'if (joined.length > textAtMost) throw tooLong();',
      count: 1,
      why: 'a limit: one more or less does not matter',
    },
  ],
  'src/bankfiles/mt940.ts': [
    { line: 'const charactersAtMost = 65_536;', count: 1, why: 'a limit: one more or less does not matter' },
    { line: "#lastLine = '';", count: 1, why: 'replaced before it is read' },
    {
      line: 'const lines = this.#lineBreak === undefined ? [whole] : whole.split(this.#lineBreak);',
      count: 1,
      why: 'split by nothing, it is whole',
    },
    { line: "this.#rest = lines.pop() ?? '';", count: 2, why: 'splitting a text gives at least one line' },
    {
      line: 'if (this.#rest.length > charactersAtMost) throw tooLong(this.#lines + 1);',
      count: 1,
      why: 'a limit: one more or less does not matter',
    },
    {
      line: 'const isBegun = !this.#isInside && cutBeginning.test(this.#lastLine);',
      count: 1,
      why: 'within a statement, it is cut anyway',
    },
    {
      line: "const isCut = isBegun || this.#open !== undefined || this.#sequence.expected !== undefined || this.#head.has('20');",
      count: 1,
      why: 'an open statement has its field 20',
    },
    {
      line: 'if (this.#field.text.length > charactersAtMost) throw tooLong(this.#lines);',
      count: 1,
      why: 'a limit: one more or less does not matter',
    },
    { line: "const name = tag.replace(/[CP]$/, '');", count: 1, why: 'letters are only at the end' },
    { line: "const { tally } = this.#opened('61');", count: 1, why: 'the compiler asks for it: there always is one' },
  ],
  'src/bankfiles/mt940-details.ts': [
    {
      line: "const [, number, value = ''] = /^(\\d\\d)([\\s\\S]*)$/.exec(one) ?? [];",
      count: 1,
      why: 'everything behind the digits belongs to it anyway',
    },
  ],
  'src/bankfiles/xml.ts': [
    { line: 'const charactersAtMost = 65_536;', count: 1, why: 'a limit: one more or less does not matter' },
    {
      line: "const reasonOf = (error: Error) => error.message.replace(/^[\\d:]*\\s*/, '').replace(/\\.$/, '');",
      count: 2,
      why: 'the parser says where it is only at the beginning',
    },
    { line: "#text = '';", count: 1, why: 'replaced before it is read' },
    { line: "#prefix = '';", count: 1, why: 'replaced before it is read' },
    { line: "#namespace = '';", count: 1, why: 'replaced before it is read' },
    { line: '#at = 0;', count: 1, why: 'replaced before it is read' },
    { line: '#read = 0;', count: 1, why: 'replaced before it is read' },
    {
      line: 'if (name.length > nameAtMost) throw tooLong();',
      count: 1,
      why: 'a limit: one more or less does not matter',
    },
    { line: 'if (this.#foreign > 0) return;', count: 1, why: 'the first element is never a foreign one' },
    { line: 'const isForeign = this.#foreign > 0;', count: 1, why: 'the first element is never a foreign one' },
    {
      line: 'if (this.#read - this.#at > charactersAtMost) throw tooLong(this.#parser.line);',
      count: 1,
      why: 'a limit: one more or less does not matter',
    },
  ],
  'src/bankfiles/sequence.ts': [
    {
      line: "const digest = hash('sha256', JSON.stringify(identity.map(String)), 'base64').slice(0, 24);",
      count: 3,
      why: 'any long part of the digest tells statements apart',
    },
  ],
  'src/bankfiles/fault.ts': [
    {
      line: 'if (error instanceof FileFault) error.line ??= line;',
      count: 1,
      why: 'no one asks another error for its line',
    },
  ],
  'src/bankfiles/read.ts': [
    { line: 'const beginningLength = 4_096;', count: 1, why: 'a limit: one more or less does not matter' },
    {
      line: "const text = new TextDecoder(markedEncoding(begin) ?? 'latin1').decode(begin).trimStart();",
      count: 1,
      why: 'what is looked for is ASCII',
    },
    { line: 'if (parts.length > 0) yield parts;', count: 2, why: 'a piece without parts adds nothing' },
    { line: 'if (last.length > 0) yield last;', count: 2, why: 'a piece without parts adds nothing' },
  ],
  'src/payouts/bank-days.ts': [
    {
      line: 'const corrected = century - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);',
      count: 1,
      why: 'no year until 9999 has another Easter',
    },
  ],
  'src/payouts/due.ts': [
    { line: 'let day = today.add({ days: 1 });', count: 1, why: 'it goes back until a day is due' },
    {
      line: 'let left = availableMinor > owedMinor ? availableMinor - owedMinor : 0n;',
      count: 1,
      why: 'both ways give the same at the boundary',
    },
  ],
};
