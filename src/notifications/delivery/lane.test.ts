import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Lane, type Leased } from './lane.ts';

const limits = { inFlightAtMost: 2, sizeAtFirst: 1, sizeAtMost: 4 };
const now = Temporal.Instant.from('2026-03-10T09:00:00Z');

const delivery: Leased = {
  eventId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
  accountId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  endpoint: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ https://shop.example.com',
  fence: 1,
  roundTries: 0,
  dueAt: now,
  failures: 0,
  suspect: false,
  url: 'https://shop.example.com/notifications',
  contentType: 'application/json',
  body: '{}',
  sealed: false,
  webhookSecretSealed: '',
  staleAt: now,
  handedOver: true,
};

/** An endpoint that responded often enough for the largest size; the last claim found nothing more for it. */
function aProvenLane(): Lane {
  const lane = new Lane(delivery, limits);
  for (let delivered = 0; delivered < limits.sizeAtMost; delivered += 1) {
    lane.add(delivery);
    lane.next();
    lane.answered('delivered');
    lane.settled(now);
  }
  lane.offer();
  return lane;
}

suite('lane', () => {
  // Guarantee: one endpoint never holds more of a node's places than its lane has, however slowly results are written.
  test('a delivery takes a place until its result is written', () => {
    const lane = aProvenLane();
    for (let added = 0; added < 3; added += 1) lane.add(delivery);
    assert.equal(lane.room, 1);
    lane.next();
    lane.answered('delivered');
    assert.equal(lane.room, 1, 'answered');
    assert.equal(lane.offer().size, limits.sizeAtMost);
    lane.settled(now);
    assert.equal(lane.room, 2, 'written');
  });

  // Guarantee: deliveries that wait in the database are not overtaken by new ones forever.
  test('a claim that was full leaves half of the places to the next claim', () => {
    const lane = aProvenLane();
    for (let claimed = 0; claimed < limits.sizeAtMost; claimed += 1) lane.add({ ...delivery, handedOver: false });
    assert.equal(lane.room, -2);
    assert.equal(lane.wantsMore, false);
    for (let answered = 0; answered < 2; answered += 1) {
      lane.next();
      lane.answered('delivered');
      lane.settled(now);
    }
    assert.equal(lane.room, 0);
    assert.equal(lane.wantsMore, true, 'half of it is done');
  });

  test('a failure narrows the lane and returns what waits', () => {
    const lane = aProvenLane();
    for (let added = 0; added < 3; added += 1) lane.add(delivery);
    lane.next();
    assert.equal(lane.answered('failed').length, 2);
    assert.equal(lane.proven, false);
    assert.equal(lane.room, 0);
  });
});
