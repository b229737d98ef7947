// Payment methods: a file says everything about one of them that the rest of the service asks: how its data is read, its
// form, refunds, whether it can recur, its limits. Their numbers are in contract/methods.ts.
// Guarantees: data of a method that was not chosen is refused, never ignored; reading an instrument changes nothing.
// Never: stores anything; calls the acquirer.
export { readyCard, readyFields, savedInstrument, type TypedElsewhere } from './card.ts';
export { blikAliasNotTaken, cardNotChargeable, methodsFailures, paymentFailed } from './failures.ts';
export { dataFields, hasPaymentData, methodOfData, readInstrument, unavailableChannels } from './instrument.ts';
export { allowsAmount, limitFaults, refuseOutsideLimits } from './limits.ts';
export { enabledMethod, methodOf, methodOfRecurring, methods, methodsById } from './list.ts';
export { methodFacts } from './mail.ts';
export type {
  FormKind,
  Method,
  MethodTools,
  PaymentData,
  ReadyInstrument,
  RepeatedToken,
  ToPay,
} from './model.ts';
export {
  channelsThatAskEmail,
  isChargeable,
  offeredLimits,
  refuseUnlessOffered,
  type ShownOfTakers,
  shownOf,
  takersOf,
  type VendorFields,
  vendorFieldsOf,
} from './offered.ts';
export { refuseUnlessSetUp } from './setup.ts';
export { refuseToken } from './wallet.ts';
export { picturePath, serializeBankGroups, serializeChannel, serializeChannels } from './wire.ts';
export { methodWords } from './words.ts';
