// From bytes to a value: JSON, form, multipart. Strict about what could lose or change a value on the way.

import { isUtf8 } from 'node:buffer';
import type { BodyKind } from '../../../contract/endpoint.ts';
import { refuse } from '../../kernel/index.ts';
import { readForm } from './form.ts';
import { readJson } from './json.ts';

function kindOf(contentType: string): BodyKind | undefined {
  if (contentType === 'application/json') return 'json';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return undefined;
}

/** Reads the body, at once except for multipart, which is a promise; an empty one, whatever its type says, is `{}` (docs/decisions.md 2). */
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
  // What is no UTF-8 is read as U+FFFD, which may also stand there by itself.
  if (text.includes('\ufffd') && !isUtf8(bytes)) refuse('invalid_request_body', '', 'The body is not valid UTF-8.');
  return kind === 'json' ? readJson(text) : Object.fromEntries(readForm(text));
}

async function readMultipart(bytes: Buffer, contentType: string): Promise<unknown> {
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  } catch {
    return refuse('invalid_request_body', '', 'The multipart body could not be read.');
  }
}
