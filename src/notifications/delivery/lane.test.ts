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

  // Guarantee: one endpoint never has more requests in flight than it may, and none is lost that waits.
  test('in flight: as many as allowed, not one more', () => {
    const lane = new Lane(delivery, limits);
    assert.equal(lane.next(), undefined, 'nothing waits');
    for (let added = 0; added < 4; added += 1) lane.add({ ...delivery, fence: added });
    assert.deepEqual([lane.next()?.fence, lane.next()?.fence, lane.next()], [0, 1, undefined]);
    lane.answered('delivered');
    assert.deepEqual([lane.next()?.fence, lane.next()], [2, undefined]);
    lane.answered('delivered');
    lane.answered('delivered');
    assert.deepEqual([lane.next()?.fence, lane.next()], [3, undefined]);
  });

  test('is that of its endpoint and account', () => {
    const lane = new Lane(delivery, limits);
    assert.deepEqual([lane.endpoint, lane.accountId], [delivery.endpoint, delivery.accountId]);
    assert.deepEqual(lane.offer(), { endpoint: delivery.endpoint, size: limits.sizeAtFirst });
  });

  // Guarantee: a lane grows by one place with each success, up to its limit; what was neither neither widens nor narrows it.
  test('grows by one', () => {
    const lane = new Lane(delivery, limits);
    const sizes = ['delivered', 'released', 'delivered', 'delivered', 'delivered'].map((kind) => {
      lane.add(delivery);
      lane.next();
      assert.deepEqual(lane.answered(kind as Parameters<Lane['answered']>[0]), []);
      lane.settled(now);
      return lane.offer().size;
    });
    assert.deepEqual(sizes, [2, 2, 3, 4, 4]);
  });

  // Guarantee: the database is asked again for an endpoint only while it probably has more for it.
  test('wants more after a full claim, when half of it is done', () => {
    const claimed = { ...delivery, handedOver: false };
    const lane = new Lane(claimed, { inFlightAtMost: 9, sizeAtFirst: 5, sizeAtMost: 9 });
    for (let added = 0; added < 4; added += 1) lane.add(claimed);
    for (let settled = 0; settled < 4; settled += 1) lane.settled(now);
    assert.equal(lane.wantsMore, false, 'the claim was not full');
    for (let added = 0; added < 4; added += 1) lane.add({ ...claimed, handedOver: true });
    lane.add(claimed);
    for (const expected of [false, false, true]) {
      lane.settled(now);
      assert.equal(lane.wantsMore, expected, String(lane.leased));
    }
    // Two places are taken: three more fill it, and what is handed over is no part of a claim.
    lane.offer();
    for (let added = 0; added < 3; added += 1) lane.add(delivery);
    assert.equal(lane.wantsMore, false);
    for (let settled = 0; settled < 4; settled += 1) lane.settled(now);
    assert.equal(lane.wantsMore, false, 'the last claim brought nothing');
    lane.offer();
    for (let added = 0; added < 4; added += 1) lane.add(claimed);
    for (let settled = 0; settled < 3; settled += 1) lane.settled(now);
    assert.deepEqual([lane.leased, lane.wantsMore], [2, true]);
  });

  test('an odd size leaves the larger half to the database', () => {
    const lane = new Lane(delivery, { inFlightAtMost: 9, sizeAtFirst: 1, sizeAtMost: 3 });
    for (let delivered = 0; delivered < 2; delivered += 1) {
      lane.add({ ...delivery, handedOver: false });
      lane.next();
      lane.answered('delivered');
      lane.settled(now);
    }
    assert.equal(lane.offer().size, 3);
    for (let added = 0; added < 3; added += 1) lane.add({ ...delivery, handedOver: false });
    assert.equal(lane.room, 1 - 3);
  });

  // Guarantee: a lane that is still needed is not forgotten; one of an unproven endpoint goes at once.
  test('when it is over', () => {
    const after = (milliseconds: number) => now.add({ milliseconds });
    const fresh = new Lane(delivery, limits);
    assert.equal(fresh.isOver(now), true);
    fresh.add(delivery);
    assert.equal(fresh.isOver(after(99_999)), false, 'it holds one');
    fresh.settled(now);
    assert.equal(fresh.isOver(now), true);
    const lane = aProvenLane();
    assert.deepEqual([lane.isOver(after(5_000)), lane.isOver(after(5_001))], [false, true]);
    for (let added = 0; added < 2; added += 1) lane.add(delivery);
    lane.settled(after(10_000));
    assert.equal(lane.isOver(after(99_999)), false, 'it holds one');
    lane.settled(after(20_000));
    lane.settled(after(90_000));
    assert.deepEqual([lane.isOver(after(25_000)), lane.isOver(after(25_001))], [false, true]);
  });
});
