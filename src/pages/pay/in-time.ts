// The pages and forms of a payer are answered as soon as a request of the API is (runtime/answer-time.ts): an error page
// from which the payer sees what became of the payment, which goes on.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { answeredInTime, type Log } from '../../runtime/index.ts';

type Handler<R extends FastifyRequest> = (request: R, reply: FastifyReply) => Promise<FastifyReply>;

/** Rejects with 503 when the time is over; how the work ended is then only logged. */
export function inTime<R extends FastifyRequest>(
  log: Pick<Log, 'error'>,
  work: Handler<R>,
  milliseconds?: number,
): Handler<R> {
  return (request, reply) => {
    const onLate = (ended: Promise<unknown>) => {
      ended.catch((err: unknown) => log.error({ requestId: request.id, err }, 'a pay page failed after its response'));
    };
    return answeredInTime(performance.now(), () => work(request, reply), onLate, milliseconds);
  };
}
