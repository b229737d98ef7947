// Files that the service streams: read piece by piece, so that progress shows and the rest can be left.

import { type CallOptions, send } from './client.ts';
import type { Name, QueryOf, Request } from './endpoints.ts';

export type FileName = Extract<Name, `GET ${string}/export`>;

export interface Progress {
  readonly done: number;
  /** Unknown where it would have to be counted first. */
  readonly total: number | null;
}

export interface Download {
  readonly name: string;
  readonly content: Blob;
  readonly rows: number | null;
}

const lineEnd = 10;

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === lineEnd) lines += 1;
  return lines;
}

async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

/** Rows are counted by lines, which is exact enough for a bar: text may have lines of its own. */
export async function download<N extends FileName>(
  name: N,
  query: QueryOf<N>,
  onProgress: (progress: Progress) => void,
  options: CallOptions,
): Promise<Download> {
  const { headers, body } = await send(name, { query }, options);
  const announced = headers.get('x-total-rows');
  const total = announced === null ? null : Number(announced);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  onProgress({ done: 0, total });
  for await (const piece of body ? piecesOf(body) : []) {
    pieces.push(piece);
    lines += linesIn(piece);
    // The first line is the heading.
    onProgress({ done: Math.min(total ?? lines, Math.max(0, lines - 1)), total });
  }
  const content = new Blob(pieces, { type: headers.get('content-type') ?? '' });
  return { name: nameOf(headers), content, rows: total };
}

function nameOf(headers: Headers): string {
  const [, file = 'export'] = /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  return file;
}

/** A file that is given on request, such as one for a bank: getting it changes something. */
export async function downloadOnce<N extends Extract<Name, `POST ${string}/download`>>(
  name: N,
  request: Request<N>,
): Promise<Download> {
  const response = await send(name, request, {});
  return { name: nameOf(response.headers), content: await response.blob(), rows: null };
}

/** As if the file had been a link. */
export function save({ name, content }: Download): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
