// Raw bytes over a socket, for what no HTTP client would send.

import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Opens a connection to the service. */
export function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Everything received until the other side closes. */
export function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('close', () => resolve(Buffer.concat(parts).toString('utf8')));
  });
}

/** Reads one response by its Content-Length; the rest is what follows it. */
export function readAnswer(text: string): { answer: RawAnswer; rest: string } {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const body = Buffer.from(text.slice(end + 4));
  const length = Number(headers.get('content-length') ?? 0);
  return {
    answer: { status: Number(first.split(' ')[1]), headers, text: body.subarray(0, length).toString('utf8') },
    rest: body.subarray(length).toString('utf8'),
  };
}

/** Sends the bytes and reads the response; the service must close the connection. */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const socket = await openSocket(url);
  const closed = untilClosed(socket);
  socket.write(bytes);
  return readAnswer(await closed).answer;
}
