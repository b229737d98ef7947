// Charges and refunds through the connector of Stripe, at a provider that misbehaves, with processes that die and databases
// that are restored. What the rooms do with the answers is done by the same functions.

import type { ChargeRequest } from '../../src/acquirer/index.ts';
import { cancelAtBank, chargeAtBank, type Patience, readFinding } from '../../src/banking/index.ts';
import { Secret } from '../../src/kernel/index.ts';
import type { FaultKind, FaultRule } from '../../src/simulators/stripe/index.ts';
import { Seeded } from '../support/seeded.ts';
import {
  aCardToken,
  aCharge,
  aRefund,
  aStripe,
  byKey,
  heldAt,
  Mortal,
  type Stage,
  type TestStripe,
} from '../support/stripe.ts';
import { figureText, isOver, noneOf, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalRuns = 500;
const runsOfOneStage = 20;
const chargesOfOneRun = 5;
const stepsAtMost = 120;
/** After so many steps of one charge or refund the provider is well again, for the rest of the run. */
const stepsOfFaults = 60;
/** Long enough that the provider gives up a payer who does not come back from the page of the card's bank. */
const secondsWhenWell = [10, 60, 240];

const kinds: readonly FaultKind[] = [
  'lostRequest',
  'lostAnswer',
  'failedBefore',
  'failedAfter',
  'keyInUse',
  'badGateway',
  'unauthorized',
  'notFound',
];
const slowKinds: readonly FaultKind[] = ['rateLimit', 'lockTimeout'];
/** Of the provider's own fields; half of them are kept, and charged again without the payer. */
const cards = ['pm_card_visa', 'pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_authenticationRequired'];
const payers = ['jan', 'jan', 'jan', 'customer_declined', 'invalid_code', 'customer_timeout'];
const patience: Patience = {
  bankTime: Temporal.Duration.from({ seconds: 30 }),
  timesNotFound: 2,
  waitingAtMost: Temporal.Duration.from({ hours: 24 }),
};

function drawFaults(draw: Seeded): FaultRule[] {
  const rules = Array.from({ length: 1 + draw.below(4) }, (): FaultRule => {
    const probability = draw.of([0.1, 0.3, 0.5]);
    return { kind: draw.of(kinds), probability, seed: draw.below(1_000_000) };
  });
  return draw.chance(0.2) ? [...rules, { kind: draw.of(slowKinds), times: 2, skip: draw.below(20) }] : rules;
}

/** What became of a charge or a refund, as a room would book it. */
type Verdict = 'paid' | 'not paid' | 'open';

interface Play {
  readonly stage: Stage;
  readonly draw: Seeded;
  readonly verdicts: Map<string, Verdict>;
}

/** The process that answers may die; whoever goes on does not. */
async function orDies<T>({ stage, draw }: Play, work: (stripe: TestStripe) => Promise<T>): Promise<T | undefined> {
  if (!draw.chance(0.3)) return work(stage.stripe);
  const mortal = new Mortal(1 + draw.below(20));
  let result: T | undefined;
  const life = (async () => {
    const dying = await stage
      .another({ db: mortal.database(stage.world.db), send: mortal.send })
      .catch(() => undefined);
    result = dying && (await work(dying));
  })();
  await mortal.live(life);
  return result;
}

/** As a payment does, or as a recurring charge, which is sent again under its key. */
async function playCharge(play: Play, request: ChargeRequest): Promise<void> {
  const { stage, draw, verdicts } = play;
  const { world } = stage;
  const askedAt = world.clock.now();
  const again = draw.chance(0.5);
  const first = await orDies(play, (stripe) => chargeAtBank(stripe, request));
  let verdict = verdictOf(first?.kind, again);
  let timesNotFound = 0;
  for (let step = 0; verdict === 'open' && step < stepsAtMost; step += 1) {
    if (step === stepsOfFaults) stage.faults();
    stage.wait(draw.of(step < stepsOfFaults ? [3, 10, 40] : secondsWhenWell));
    const answer = await stage.stripe.findCharge(byKey(request.key));
    const found = readFinding(answer, { askedAt, timesNotFound }, patience, world.clock.now());
    timesNotFound += found.kind === 'again' && found.notFound ? 1 : 0;
    if (found.kind === 'absent' || found.kind === 'overdue')
      verdict = again && found.kind === 'absent' ? await sendAgain(stage, request) : await giveUp(stage, request);
    else verdict = verdictOf(found.kind, again);
  }
  verdicts.set(request.key, verdict);
}

async function sendAgain({ stripe }: Stage, request: ChargeRequest): Promise<Verdict> {
  return verdictOf((await chargeAtBank(stripe, request)).kind, true);
}

async function giveUp({ stripe }: Stage, { key }: ChargeRequest): Promise<Verdict> {
  return verdictOf((await cancelAtBank(stripe, key, { kind: 'declined', reason: 'internal error' })).kind, false);
}

function verdictOf(kind: string | undefined, again: boolean): Verdict {
  if (kind === 'approved') return 'paid';
  if (kind === 'declined' || kind === 'canceled') return 'not paid';
  return kind === 'notReached' && !again ? 'not paid' : 'open';
}

/** Asked by key first, and sent again under it if it is not known. */
async function playRefund(play: Play, chargeKey: string): Promise<void> {
  const { stage, draw, verdicts } = play;
  const request = aRefund(stage.world.ids.ulid(), chargeKey, BigInt(1 + draw.below(5_000)));
  const first = await orDies(play, (stripe) => stripe.refund(request));
  let verdict = verdictOf(first?.kind, true);
  for (let step = 0; verdict === 'open' && step < stepsAtMost; step += 1) {
    if (step === stepsOfFaults) stage.faults();
    stage.wait(draw.of([3, 600, 4_000]));
    const found = await stage.stripe.findRefund(byKey(request.key));
    verdict = verdictOf((found.kind === 'notFound' ? await stage.stripe.refund(request) : found).kind, true);
  }
  verdicts.set(request.key, verdict);
}

/** A backup without the connector's rows: everything in it is older than the search of the provider needs. */
async function restore({ stage }: Play): Promise<void> {
  stage.wait(2 * 3_600);
  await stage.world.db.sql.run`delete from stripe_refund`;
  await stage.world.db.sql.run`delete from stripe_charge`;
}

async function drawCharge(play: Play): Promise<ChargeRequest> {
  const { stage, draw } = play;
  const minor = BigInt(10_000 + draw.below(1_000));
  if (draw.chance(0.6)) return drawBlik(play, minor);
  const token = await aCardToken(stage, draw.of(cards));
  return aCharge(stage.world, { card: { token, save: draw.chance(0.5) }, minor });
}

/** A third of the payers agree to be charged again, under a name of their own. */
function drawBlik({ stage, draw }: Play, minor: bigint): ChargeRequest {
  const request = aCharge(stage.world, { email: `${draw.of(payers)}@example.com`, minor });
  if (draw.chance(0.7)) return request;
  const alias = { value: new Secret(request.key), type: 'PAYID', label: 'Shop' } as const;
  return { ...request, instrument: { kind: 'blik', code: new Secret('123456'), aliases: [alias] } };
}

/** What was kept with a charge, if its payer agreed. */
function keptOf({ key, instrument }: ChargeRequest): ChargeRequest['instrument'] | undefined {
  if (instrument.kind === 'fields' && instrument.save) return { kind: 'saved', chargeKey: key };
  const alias = instrument.kind === 'blik' ? instrument.aliases[0] : undefined;
  const blik = { model: 'O', noDelay: false } as const;
  return alias && { kind: 'recurring', value: alias.value, blik, iteration: 1, attempt: 1 };
}

/** Without the payer, with what was kept; if it was not paid, nobody can be charged. */
async function playAgain(play: Play, request: ChargeRequest): Promise<void> {
  const instrument = keptOf(request);
  if (instrument) await playCharge(play, { ...aCharge(play.stage.world), initiator: 'merchant', instrument });
}

async function playRun(play: Play): Promise<void> {
  const { stage, draw, verdicts } = play;
  stage.fake.provider.changeSettings({ refundOutcome: draw.of(['succeeded', 'succeeded', 'pending', 'fails']) });
  const requests: ChargeRequest[] = [];
  for (let count = 0; count < chargesOfOneRun; count += 1) requests.push(await drawCharge(play));
  stage.faults(...drawFaults(draw));
  for (const request of requests) await playCharge(play, request);
  for (const request of requests) await playAgain(play, request);
  if (draw.chance(0.2)) await restore(play);
  for (const { key } of requests) if (verdicts.get(key) === 'paid' && draw.chance(0.7)) await playRefund(play, key);
  stage.faults();
}

/** What the provider says about everything that was played; each difference is a sentence. */
async function judge({ stage, verdicts }: Play, wrong: Wrong): Promise<void> {
  stage.wait(86_400);
  const { captures, refunds } = heldAt(stage.fake);
  for (const [key, verdict] of verdicts) {
    const held = captures.get(key) ?? 0;
    const back = refunds.get(key) ?? 0;
    if (held > 1) wrong.twice.push(`${key} was captured ${held} times`);
    if (back > 1) wrong.refundedTwice.push(`${key} was refunded ${back} times`);
    if (verdict === 'open') wrong.open.push(`${key} is open`);
    else if (held + back !== (verdict === 'paid' ? 1 : 0)) wrong.lost.push(`${key} is ${verdict}: ${held}, ${back}`);
  }
}

interface Wrong {
  readonly twice: string[];
  readonly refundedTwice: string[];
  readonly lost: string[];
  readonly open: string[];
}

/** The figures: captured twice, refunded twice, money that differs from what was concluded, and what stayed open. */
export async function proveStripe(options: ProveOptions): Promise<Seen[]> {
  const goal = scaled(goalRuns, options);
  const wrong: Wrong = { twice: [], refundedTwice: [], lost: [], open: [] };
  let runs = 0;
  let played = 0;
  while (runs < goal && !isOver(options)) {
    const draw = new Seeded(`${options.seed} ${runs}`);
    const stage = await aStripe({
      seed: `${options.seed} ${runs}`,
      world: { random: new Seeded(`${options.seed} ids ${runs}`) },
    });
    const play: Play = { stage, draw, verdicts: new Map() };
    for (let run = 0; run < runsOfOneStage && runs < goal && !isOver(options); run += 1, runs += 1) await playRun(play);
    await judge(play, wrong);
    played += play.verdicts.size;
    options.print(`${figureText(runs)} of ${figureText(goal)} runs, ${figureText(played)} charges and refunds`);
  }
  for (const note of Object.values(wrong).flat().slice(0, 10)) options.print(`  ${note}`);
  return [
    noneOf('runs with Stripe in which a charge was captured twice', wrong.twice.length, runs, goalRuns),
    noneOf('the same: a refund was paid twice', wrong.refundedTwice.length, runs, goalRuns),
    noneOf('the same: money that differs from what was concluded', wrong.lost.length, runs, goalRuns),
    noneOf('the same: a charge or a refund without a conclusion', wrong.open.length, runs, goalRuns),
  ];
}
