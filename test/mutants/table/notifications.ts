// Mutants of notifications: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const notificationsMutants: readonly Mutant[] = [
  {
    file: 'src/notifications/delivery/store.ts',
    line: "when given.kind = 'failed' and given.next_try_at is null then 'exhausted'",
    instead: "when false then 'exhausted'",
    bug: 'a delivery without another try stays pending',
    tests: { 'test/notifications/delivery.test.ts': [] },
  },
  {
    file: 'src/notifications/delivery/store.ts',
    line: '<= ${queuesAtMost}',
    instead: '>= 0',
    bug: 'an account that names ever new hosts has a queue for each',
    tests: {
      'test/notifications/claims.test.ts': [
        'an account that names ever new hosts: those beyond a hundred share a queue',
      ],
    },
  },
  {
    file: 'src/notifications/delivery/lane.ts',
    line: 'if (this.#inFlight >= this.#limits.inFlightAtMost) return undefined;',
    instead: 'if (this.#inFlight > this.#limits.inFlightAtMost) return undefined;',
    bug: 'one more in flight than allowed',
    tests: { 'src/notifications/delivery/lane.test.ts': ['in flight: as many as allowed, not one more'] },
  },
  {
    file: 'src/notifications/delivery/sender.ts',
    line: 'if (this.#stopping || sinceFed > fedMilliseconds) return 0;',
    instead: 'if (this.#stopping) return 0;',
    bug: 'deliveries are handed over to an engine that stands still',
    tests: {
      'test/notifications/handover.test.ts': [
        'left to claims: an endpoint not heard of, an engine that stands still, a sender that ends',
      ],
    },
  },
  {
    file: 'src/notifications/delivery/sender.ts',
    line:
      'if (this.#stopping) for (const waiting of lane.dequeueAll()) this.#release(lane, waiting);\n' +
      '      else this.#sendNext(lane);',
    instead: 'this.#sendNext(lane);',
    bug: 'what is committed after the end of the sender is sent by it',
    tests: { 'test/notifications/handover.test.ts': ['committed after the end: given back'] },
  },
  {
    file: 'src/notifications/delivery/settlement.ts',
    line: "const answer = claimed.sealed ? '' : keptAnswer(posted.answer);",
    instead: 'const answer = keptAnswer(posted.answer);',
    bug: 'a response that repeats a card token is in the log',
    tests: { 'test/notifications/events.test.ts': ['a card token is sealed at rest, sent, and kept out of the log'] },
  },
  {
    file: 'src/notifications/outbox.ts',
    line: 'const stored = sealed ? vault.seal(new Secret(body), bodyPurpose(id)) : body;',
    instead: 'const stored = body;',
    bug: 'a card token is stored as it is',
    tests: { 'test/notifications/events.test.ts': ['a card token is sealed at rest, sent, and kept out of the log'] },
  },
  {
    file: 'src/notifications/outbox.ts',
    line: 'room.set(row.endpoint, left - 1);',
    instead: '',
    bug: 'more deliveries are handed over than there is room',
    tests: {
      'test/notifications/handover.test.ts': [
        'an endpoint that answered: sent after the commit, without a claim, as far as there is room',
      ],
    },
  },
  {
    file: 'src/notifications/payload.ts',
    line: "return hash('md5', `${id}${title}${amount}${hiddenDescription}${code.reveal()}`);",
    instead: "return hash('md5', `${id}${title}${amount}${code.reveal()}`);",
    bug: 'the checksum of a notification does not cover hiddenDescription',
    tests: { 'src/notifications/payload.test.ts': ['paid', 'refunded in full'] },
  },
  {
    file: 'src/notifications/payload.ts',
    line: 'confidential: data.savedCard !== undefined };',
    instead: 'confidential: false };',
    bug: 'a notification with a card token is not sealed',
    tests: { 'test/notifications/events.test.ts': ['a card token is sealed at rest, sent, and kept out of the log'] },
  },
  {
    file: 'src/notifications/read.ts',
    line: 'while ((await numberEvents(tools)) >= numberedAtOnce);',
    instead: 'await numberEvents(tools);',
    bug: 'only the first set of events is numbered before it is read',
    tests: { 'test/notifications/events.test.ts': ['more events than one set'] },
  },
  {
    file: 'src/notifications/store.ts',
    line: 'select url, content_type from event where id = ${id} and account_id = ${accountId}`;',
    instead: 'select url, content_type from event where id = ${id}`;',
    bug: 'a merchant reads the delivery log of another',
    tests: { 'test/notifications/events.test.ts': ['404: foreign, unknown and malformed ids alike'] },
  },
  {
    file: 'src/notifications/store.ts',
    line: 'and event.account_id = ${accountId} and position > ${from} and position < ${to}',
    instead: 'and position > ${from} and position < ${to}',
    bug: "a merchant reads the events of another's transaction",
    tests: { 'test/notifications/events.test.ts': ['200: one transaction'] },
  },
  {
    file: 'src/notifications/signing/webhook.ts',
    line: "const signature = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');",
    instead: "const signature = createHmac('sha256', key).update(`${id}.`).update(body).digest('base64');",
    bug: 'an old notification passes for a new one',
    tests: {
      'test/notifications/signing.test.ts': [
        'a delivered notification verifies with standardwebhooks and with jose',
        'the form of a transaction verifies with standardwebhooks',
      ],
    },
  },
  {
    file: 'src/notifications/mail/store.ts',
    line: "content = case when given.status = 'pending' then mail.content end",
    instead: 'content = mail.content',
    bug: 'the text of a mail that was sent stays in the database',
    tests: { 'test/notifications/sealed-mail.test.ts': ['sealed while it waits, blank once it was sent'] },
  },
  {
    file: 'src/notifications/mail/transport.ts',
    line: "const why = (message ?? String(error)).replaceAll(/\\w+:\\/\\/\\S+/g, '(link)').slice(0, 500);",
    instead: 'const why = (message ?? String(error)).slice(0, 500);',
    bug: 'a link that lets one in is stored with the refusal of a mail',
    tests: { 'test/notifications/sealed-mail.test.ts': ['a filter that names the link'] },
  },
  {
    file: 'src/notifications/delivery/sender.ts',
    line: 'return Temporal.Instant.compare(this.#tools.wall.now(), claimed.staleAt) > 0;',
    instead: 'return false;',
    bug: 'a delivery is sent although its lease is too short by now, and by another node too',
    tests: { 'test/notifications/nodes.test.ts': ['a delivery whose lease is too short by now is not sent'] },
  },
  {
    file: 'src/notifications/delivery/store.ts',
    line: 'and delivery.lease_fence = given.fence and delivery.lease_until is not null',
    instead: 'and delivery.lease_until is not null',
    bug: 'a result is written under an old fence',
    tests: { 'test/notifications/nodes.test.ts': ['a late result while another node has the lease'] },
  },
];
