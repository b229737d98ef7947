// DER: reading and writing what certificates, signing requests and signed messages are made of. Pure.
// Guarantees: reading never goes beyond the bytes given, nor deeper than they nest; what is not DER is refused.
export { bits, Fields, octets, oid, stringBytes, time } from './fields.ts';
export { oids } from './oids.ts';
export { readPem, strictBase64, writePem } from './pem.ts';
export {
  Asn1Fault,
  contextTag,
  Element,
  isConstructed,
  orUndefined,
  readBer,
  readDer,
  tags,
} from './reader.ts';
export {
  bitString,
  derOf,
  explicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  smallInteger,
  timeOf,
  tlv,
  utf8String,
} from './writer.ts';
