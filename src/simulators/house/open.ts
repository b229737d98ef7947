// The house bank over HTTP, in the sandbox only: /sandbox/bank/files, /sandbox/bank/statements and /sandbox/bank/faults. Like
// the pages of the simulated bank it asks for no token: there is no money.

import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../runtime/index.ts';
import type { Simulator } from '../bank/index.ts';
import { type Arrived, HouseBank, type HouseFaults, houseFaultNames, NoStatement } from './house.ts';
import { OrderFault } from './payment-files.ts';

const fileName = 'house-bank.sqlite';
const fileBytesAtMost = 50_000_000;
const base = '/sandbox/bank';
const xml = 'application/xml; charset=utf-8';

/** `bankFile`: the record of the simulated bank; that of the house bank is beside it. */
export function openHouseBank(clock: Clock, bankFile: string, simulator: Simulator | undefined) {
  const house = new HouseBank({
    file: join(dirname(bankFile), fileName),
    clock,
    arrived: () => arrivedFrom(simulator, clock),
  });
  return {
    name: 'house bank',
    house,
    register: (app: FastifyInstance) => registerHouse(app, house),
    close: async () => house.close(),
  };
}

const linesAtOnce = 5_000;

/** What the simulated bank has paid out, and has again. */
async function arrivedFrom(simulator: Simulator | undefined, clock: Clock): Promise<Arrived[]> {
  const arrived: Arrived[] = [];
  if (!simulator) return arrived;
  const period = { from: Temporal.Instant.fromEpochMilliseconds(0), to: clock.now().add({ seconds: 1 }) };
  for (let after: string | null = null; ; ) {
    const page = await simulator.statement({ ...period, after, limit: linesAtOnce, deadlineMilliseconds: 10_000 });
    if (page.kind !== 'page') return arrived;
    for (const { kind, key, amount, at } of page.lines) {
      if (kind === 'payout') arrived.push({ key, minor: amount.minor, at });
      if (kind === 'payoutReturned') arrived.push({ key, minor: -amount.minor, at });
    }
    if (page.next === null) return arrived;
    after = page.next;
  }
}

function registerHouse(app: FastifyInstance, house: HouseBank): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
    scope.setErrorHandler((error, _request, reply) => {
      const status = (error as { statusCode?: number }).statusCode ?? 500;
      return say(reply, status, status === 413 ? 'The file is too large.' : 'The request cannot be read.');
    });
    scope.post(`${base}/files`, { bodyLimit: fileBytesAtMost }, async (request, reply) =>
      takeFile(house, request, reply),
    );
    scope.get(`${base}/statements`, async (request, reply) => giveStatement(house, request, reply));
    scope.get(`${base}/faults`, async (_request, reply) => reply.send(house.faults()));
    scope.put(`${base}/faults`, async (request, reply) => setFaults(house, request, reply));
  });
}

function say(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/plain; charset=utf-8').send(`${text}\n`);
}

function takeFile(house: HouseBank, { body }: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(body instanceof Uint8Array) || body.length === 0) return say(reply, 400, 'Send a payment file as the body.');
  try {
    return reply.type(xml).send(house.take(body));
  } catch (error) {
    if (error instanceof OrderFault || error instanceof TypeError || error instanceof RangeError)
      return say(reply, 400, `This is no payment file: ${error.message}`);
    throw error;
  }
}

async function giveStatement(house: HouseBank, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { date } = request.query as { date?: unknown };
  if (typeof date !== 'string' || !isDay(date)) return say(reply, 400, 'date must be a day, such as 2026-11-18.');
  const accept = request.headers.accept ?? '*/*';
  const isMt940 = /text\/plain|mt940/i.test(accept);
  if (!isMt940 && !/xml|\*\/\*|application\/\*/i.test(accept))
    return say(reply, 406, 'Accept application/xml for camt.053, text/plain for MT940.');
  try {
    const bytes = await house.statement(date, isMt940 ? 'mt940' : 'camt053');
    return reply.type(isMt940 ? 'text/plain' : xml).send(bytes);
  } catch (error) {
    if (error instanceof NoStatement)
      return say(reply, 404, `There is no statement of ${date}: the day is not over, or before the first.`);
    throw error;
  }
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}

function setFaults(house: HouseBank, { body }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const faults = readFaults(body);
  if (!faults)
    return say(reply, 400, `Send {"seed": 1, "faults": {"returned": 0.1}}; known are ${houseFaultNames.join(', ')}.`);
  house.setFaults(faults);
  return reply.send(house.faults());
}

function readFaults(body: unknown): HouseFaults | undefined {
  try {
    const given: unknown = JSON.parse(Buffer.from(body as Uint8Array).toString());
    if (Array.isArray(given)) return undefined;
    const { seed = 1, faults = {}, ...rest } = given as HouseFaults;
    const isRight =
      !Array.isArray(faults) &&
      Object.keys(rest).length === 0 &&
      (typeof seed === 'string' || typeof seed === 'number') &&
      Object.entries(faults).every(
        ([name, share]) =>
          (houseFaultNames as readonly string[]).includes(name) &&
          typeof share === 'number' &&
          share >= 0 &&
          share <= 1,
      );
    return isRight ? { seed, faults } : undefined;
  } catch {
    return undefined;
  }
}
