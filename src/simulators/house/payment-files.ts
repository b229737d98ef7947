// Reads payment files as a bank does: pain.001 in both versions, and Elixir-0. Written apart from what writes them, so that
// one does not believe the other.

export interface Order {
  readonly message: string;
  readonly payer: string;
  readonly executeOn: string;
  readonly payments: readonly Ordered[];
  /** Payments and their sum as the header says; null where there is none. */
  readonly said: { readonly payments: number; readonly minor: bigint } | null;
}

export interface Ordered {
  /** The end-to-end id, or what stands first in the title. */
  readonly reference: string;
  readonly minor: bigint;
  readonly account: string;
  readonly name: string;
  readonly title: string;
}

/** The file is none that this bank takes. */
export class OrderFault extends Error {}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (text: string) => text.replaceAll(/&(\w+);/g, (all, name: string) => entities[name] ?? all).trim();

function within(xml: string, name: string): string {
  const [, content] = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(xml) ?? [];
  if (content === undefined) throw new OrderFault(`${name} is missing.`);
  return content;
}

function minorOf(text: string): bigint {
  if (!/^\d{1,15}\.\d{2}$/.test(text)) throw new OrderFault(`${text} is no amount.`);
  return BigInt(text.replace('.', ''));
}

function pain001(xml: string): Order {
  if (/<!DOCTYPE/i.test(xml)) throw new OrderFault('The file has a document type.');
  const header = within(xml, 'GrpHdr');
  const day = within(xml, 'ReqdExctnDt').replaceAll(/<\/?Dt>/g, '');
  return {
    message: within(header, 'MsgId'),
    payer: within(within(xml, 'DbtrAcct'), 'IBAN'),
    executeOn: day.trim(),
    said: { payments: Number(within(header, 'NbOfTxs')), minor: minorOf(within(header, 'CtrlSum')) },
    payments: [...xml.matchAll(/<CdtTrfTxInf>([\s\S]*?)<\/CdtTrfTxInf>/g)].map(([, one = '']) => ({
      reference: within(one, 'EndToEndId'),
      minor: minorOf(within(one, 'InstdAmt')),
      account: within(within(one, 'CdtrAcct'), 'IBAN'),
      name: plain(within(within(one, 'Cdtr'), 'Nm')),
      title: plain(within(one, 'Ustrd')),
    })),
  };
}

const elixirLine =
  /^110,(\d{8}),(\d+),\d{8},0,"(\d{26})","(\d{26})","([^"]*)","([^"]*)",0,\d{8},"([^"]*)","","","5[137]1?","[^"]*"$/;

function elixir0(text: string, message: string): Order {
  const lines = text.split('\r\n').filter((line) => line !== '');
  const fields = lines.map((line, index) => {
    const found = elixirLine.exec(line);
    if (!found) throw new OrderFault(`Line ${index + 1} is no order.`);
    return found;
  });
  const [first] = fields;
  if (!first) throw new OrderFault('The file is empty.');
  const [, day = '', , payer = ''] = first;
  return {
    message,
    payer: `PL${payer}`,
    executeOn: `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`,
    said: null,
    payments: fields.map(([, , minor = '', , payee = '', , name = '', title = '']) => {
      const words = title.replaceAll('|', ' ');
      const [, reference] = /GROSZ ([0-9A-Z]{26})/.exec(words) ?? [];
      return {
        reference: reference ?? words,
        minor: BigInt(minor),
        account: `PL${payee}`,
        name: name.replaceAll('|', ' '),
        title: words,
      };
    }),
  };
}

/** `message`: what the bank calls a file that has no name of its own. */
export function readOrder(bytes: Uint8Array, message: string): Order {
  const [, declared] =
    /^\s*<\?xml[^>]*encoding="([\w-]+)"/.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1')) ?? [];
  const isXml = Buffer.from(bytes.subarray(0, 200)).toString('latin1').trimStart().startsWith('<');
  const text = new TextDecoder(isXml ? (declared ?? 'utf-8') : 'windows-1250').decode(bytes);
  return isXml ? pain001(text) : elixir0(text, message);
}
