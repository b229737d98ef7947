// Notifications: the outbox, signatures, delivery and its log; mail to payers. Endpoints N1 to N4, /x509/*.pem.
// Owns: event, event_position, event_unnumbered, delivery, endpoint_queue, endpoint_health, delivery_try, signing_key,
// mail, mail_count.
// Guarantees: an event is written with the change that it reports; every event with a URL is delivered, scheduled or
// visibly exhausted; every attempt of an event has the same id; readers of GET /events miss nothing; a hanging endpoint
// does not slow down others.
export type { SenderLimits } from './delivery/sender.ts';
export { Sender } from './delivery/sender.ts';
export { openContent } from './mail/content.ts';
export type { NewMail, SealedMail } from './mail/outbox.ts';
export { composeMails, insertMails, insertUnpaidMails, sealMail } from './mail/outbox.ts';
export { dateText, renderMail } from './mail/render.ts';
export type { MailResult, MailTransport, OutgoingMail } from './mail/transport.ts';
export { openSmtp } from './mail/transport.ts';
export { mailLanguage, mailWords } from './mail/words.ts';
export { sendMails } from './mail/work.ts';
export type { NewEvent } from './model.ts';
export type { NotificationOptions } from './open.ts';
export { openNotifications } from './open.ts';
export type { Handover } from './outbox.ts';
export { insertEvents } from './outbox.ts';
export type { Payload, SavedCard, TransactionNotificationData } from './payload.ts';
export {
  disputeNotification,
  marketplaceNotification,
  payoutNotification,
  recurringNotification,
  refundNotification,
  settlementNotification,
  transactionNotification,
} from './payload.ts';
export { numberEvents, readEvents } from './read.ts';
export type { Signing } from './signing/index.ts';
export { makeRsaKeys, openSigning } from './signing/index.ts';
export type { TestAccount } from './try-endpoint.ts';
export { sendTestNotification } from './try-endpoint.ts';
export { dueDeliveries, nextDeliveryAt } from './work.ts';
