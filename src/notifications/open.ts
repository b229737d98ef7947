import type { FastifyInstance } from 'fastify';
import type { WorkName } from '../../contract/codes/works.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { Sender, type SenderLimits } from './delivery/sender.ts';
import type { MailTransport } from './mail/transport.ts';
import { dueMails, forgetOldMails, mailSender, nextMail } from './mail/work.ts';
import type { Handover } from './outbox.ts';
import { numberEvents, numberedAtOnce } from './read.ts';
import { type EventCaller, notificationRoutes } from './routes.ts';
import { openSigning, registerCertificates } from './signing/index.ts';
import { verifyNotifications } from './verify.ts';
import { dueDeliveries, nextDeliveryAt } from './work.ts';

export interface NotificationOptions {
  /** The mail transport of this process. */
  readonly mail: MailTransport | undefined;
  /** Whether other processes send mail. If nobody does, none is written. */
  readonly mailElsewhere?: boolean;
  readonly senderLimits?: Partial<SenderLimits>;
  /** How long deliveries in flight may take to finish; those cut off are due again when their lease expires. */
  readonly stopMilliseconds?: number;
}

const usualStopMilliseconds = 12_000;

export async function openNotifications<C extends EventCaller>(tools: Tools, options: NotificationOptions) {
  const { mail, mailElsewhere = false, senderLimits, stopMilliseconds = usualStopMilliseconds } = options;
  const signing = await openSigning(tools);
  const sender = new Sender(tools, signing, senderLimits);
  return {
    name: 'notifications',
    routes: notificationRoutes<C>(tools),
    register: (app: FastifyInstance) => registerCertificates(app, signing),
    works: [...deliveryWorks(tools, sender), ...mailWorks(tools, mail)],
    close: async () => {
      await mail?.close();
      await sender.stop(stopMilliseconds);
    },
    verify: verifyNotifications,
    /** Whether mail is written. */
    sendsMail: mail !== undefined || mailElsewhere,
    hasMailTransport: mail !== undefined,
    handover: counted(tools, sender),
    sender,
    signing,
  };
}

const sending = 'send_notifications';

/** Deliveries handed over are counted for the work that would have claimed them. */
function counted({ metrics }: Pick<Tools, 'metrics'>, sender: Sender): Handover {
  return {
    roomFor: (endpoint) => sender.roomFor(endpoint),
    leaseUntil: () => sender.leaseUntil(),
    accept: (claimed, leaseUntil) => {
      metrics.workDone.inc({ work: sending }, claimed.length);
      sender.accept(claimed, leaseUntil);
    },
  };
}

function deliveryWorks(tools: Tools, sender: Sender): Work<WorkName>[] {
  return [
    { name: 'number_events', run: () => numberEvents(tools), setSize: numberedAtOnce },
    {
      name: sending,
      // A merchant waits for it before showing the result to the payer.
      everyMilliseconds: 200,
      run: () => sender.feed(),
      drain: () => sender.drain(),
      waiting: () => dueDeliveries(tools),
      nextAt: () => nextDeliveryAt(tools),
    },
  ];
}

function mailWorks(tools: Tools, mail: MailTransport | undefined): Work<WorkName>[] {
  const send = mail ? mailSender(tools, mail) : async () => 0;
  return [
    {
      name: 'send_mail',
      run: send,
      waiting: () => dueMails(tools),
      nextAt: () => nextMail(tools),
    },
    { name: 'forget_mail', run: () => forgetOldMails(tools, 1_000) },
  ];
}
