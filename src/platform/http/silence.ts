// Connections on which nothing moves are closed. Node's own way begins a timer anew for each read and each write, which
// was a thirtieth of E1; here every connection is looked at now and then, and asked how much has moved.

import type { Socket } from 'node:net';

export const lookEveryMilliseconds = 12_000;
const looksAtMost = 6;

/** Tells clients how long they may keep a silent connection: less than we do, so that they are the first to leave it. */
export const keepAlive = `timeout=${(lookEveryMilliseconds * (looksAtMost - 1)) / 1_000}`;

interface Seen {
  bytes: number;
  silentLooks: number;
}

export class Connections {
  readonly #open = new Map<Socket, Seen>();

  add(socket: Socket): void {
    this.#open.set(socket, { bytes: 0, silentLooks: 0 });
    socket.once('close', () => this.#open.delete(socket));
  }

  /** One look at all of them; closes those on which nothing has moved for too many looks. */
  closeSilent(): void {
    for (const [socket, seen] of this.#open) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      seen.silentLooks = bytes === seen.bytes ? seen.silentLooks + 1 : 0;
      seen.bytes = bytes;
      if (seen.silentLooks >= looksAtMost) socket.destroy();
    }
  }
}
