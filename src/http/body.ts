// Parses bodies: JSON, form, multipart. Strict about anything that could lose or change a value.

import { isUtf8 } from 'node:buffer';
import type { BodyKind } from '../../contract/endpoint.ts';
import { refuse } from '../kernel/index.ts';
import { readForm, refuseRepeated } from './form.ts';
import { readJson } from './json.ts';

function kindOf(contentType: string): BodyKind | undefined {
  if (contentType === 'application/json') return 'json';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return undefined;
}

/**
 * Parses the body; synchronously, except for multipart, which returns a promise. An empty body of any type is `{}`
 * (docs/decisions/0002).
 */
export function readBody(
  bytes: Buffer | undefined,
  contentType: string | undefined,
  kinds: readonly BodyKind[],
): unknown {
  if (!bytes || bytes.length === 0) return {};
  const kind = kindOf(contentType ?? '');
  if (!kind || !kinds.includes(kind)) refuse('unsupported_media_type');
  if (kind === 'multipart') return readMultipart(bytes, contentType ?? '');
  const text = bytes.toString('utf8');
  // Invalid UTF-8 decodes to U+FFFD, which may also be in the text itself.
  if (text.includes('\ufffd') && !isUtf8(bytes)) refuse('invalid_request_body', '', 'The body is not valid UTF-8.');
  return kind === 'form' ? Object.fromEntries(readForm(text)) : readJson(text);
}

async function readMultipart(bytes: Buffer, contentType: string): Promise<unknown> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => refuse('invalid_request_body', '', 'The multipart body could not be read.'));
  refuseRepeated(form.keys());
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}
