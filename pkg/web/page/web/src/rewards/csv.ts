import { answer } from 'tokenlaunch/api';
import { api } from '../api/client';

/** A file of all payments to a wallet. */
export interface PaymentsFile {
  readonly text: string;
  /** False if payments of tokens that the wallet has an account of may be missing. */
  readonly complete: boolean;
}

/** The maximum number of pages in a file: what an address may ask for in a quarter of an hour. */
const MAX_PAGES = 50;

/** Reads all payments to a wallet as one CSV file. `told` gets the number of lines read so far. */
export async function paymentsFile(
  wallet: string,
  mint: string | null,
  told: (lines: number) => void,
): Promise<PaymentsFile> {
  const lines: string[] = [];
  let complete = true;
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const got: { data?: unknown; error?: unknown; response: Response } = await api.GET(
      '/holders/{wallet}/payments',
      {
        params: { path: { wallet }, query: { ...(mint ? { mint } : {}), ...(cursor ? { cursor } : {}) } },
        headers: { Accept: 'text/csv' },
        parseAs: 'text',
      },
    );
    const text = String(await answer(Promise.resolve(got)));
    const [head = '', ...rest] = text.trimEnd().split('\n');
    if (page === 0) lines.push(head);
    lines.push(...rest);
    told(lines.length - 1);
    complete &&= got.response.headers.get('X-Complete') !== 'false';
    const next = /^<([^>]+)>; rel="next"$/.exec(got.response.headers.get('Link') ?? '')?.[1];
    if (!next) return { text: `${lines.join('\n')}\n`, complete };
    cursor = new URL(next, location.origin).searchParams.get('cursor');
  }
  return { text: `${lines.join('\n')}\n`, complete: false };
}
