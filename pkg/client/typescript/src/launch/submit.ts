/** The steps of a launch that are alike for a program and for a page. */
import { type Api, answer, Problem, type Schemas } from '../api/index.js';
import { form } from '../api/named.js';
import { timer } from '../api/repeat.js';

/** Headers of a call, such as those of `bearer`; none where the API carries its token itself. */
type Headers = Readonly<Record<string, string>>;

/** Stores a PNG or JPEG, and returns its address. */
export async function uploadPicture(api: Api, picture: Uint8Array, headers: Headers = {}): Promise<string> {
  const { imageUri } = await answer(
    api.POST('/tokens/upload-image', {
      body: form({ image: picture }) as never,
      bodySerializer: (body: unknown) => body as FormData,
      headers,
    }),
  );
  return imageUri;
}

/**
 * A launch that was signed. Who keeps it can bring it to its end, also in another process or days
 * later: it is the same launch, and no second one. It is no secret.
 */
export interface Submission {
  readonly transactionId: string;
  /** With the wallet's signature, base64. */
  readonly signedTransaction: string;
  readonly mintAddress: string;
  /** When its transaction can no longer land. */
  readonly expiresAt: string;
}

/** The options of `submit`. */
export interface Submitting {
  readonly headers?: Headers;
  /** Told how far it is, in words. */
  readonly tell?: (text: string) => void;
  /** It may have been submitted before. */
  readonly again?: boolean;
  /** The service's time, in milliseconds since 1970. */
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Milliseconds after its time for which a decision is awaited; without end by default. */
  readonly patience?: number;
}

/** Milliseconds between two reads of a token that is on its way; longer after a while. */
const LOOKS = [1_500, 2_000, 3_000, 5_000, 8_000];

/** Milliseconds after its time in which a launch is seen that has come in time. */
const LATE = 15_000;

/**
 * Submits what was signed and waits until the chain has decided. Going on with it again first looks
 * whether it has landed: a submission counts towards the limit of 5 an hour. The Problem of a
 * transaction whose blockhash is outdated has a fresh one to sign in `refresh`, while its order lives;
 * `chain_refused` is final.
 */
export async function submit(
  api: Api,
  { transactionId, signedTransaction, mintAddress, expiresAt }: Submission,
  { headers = {}, tell = () => {}, again = false, now = Date.now, ...waits }: Submitting = {},
): Promise<Schemas['Token']> {
  const send = async () => {
    const body = { transactionId, signedTransaction };
    return (await answer(api.POST('/tokens/submit', { body, headers }))).token as Schemas['Token'];
  };
  const { sleep = timer, patience = Number.POSITIVE_INFINITY } = waits;
  const late = () => now() - Date.parse(expiresAt);
  let token = again ? await find(api, mintAddress) : null;
  if (token === null) {
    tell('Sending your launch …');
    token = await send();
  }
  let asked = false;
  for (let look = 0; token.status === 'submitted'; look++) {
    tell('Sent. Waiting for confirmation …');
    if (!asked && late() > LATE) {
      // It may have been lost: then the service reports it, and has a fresh one to sign.
      asked = true;
      token = await send();
      continue;
    }
    if (late() > patience)
      throw new Problem('timeout', 'The chain has not decided on the launch yet.', { retryAfter: 60 });
    await sleep(LOOKS[Math.min(look, LOOKS.length - 1)] as number);
    token = (await find(api, mintAddress)) ?? token;
  }
  if (token.status === 'failed')
    throw new Problem(
      'chain_refused',
      'The network rejected the launch. No token was created; you can try again.',
    );
  return token;
}

/** A token by its mint; null when there is none. */
async function find(api: Api, mintAddress: string): Promise<Schemas['Token'] | null> {
  try {
    const got = await answer(api.GET('/tokens/{mintAddress}', { params: { path: { mintAddress } } }));
    return got as Schemas['Token'];
  } catch (cause) {
    if (cause instanceof Problem && cause.status === 404) return null;
    throw cause;
  }
}

/** A submitted launch of which it is not known whether it arrived: `finish` with the same submission finds out. */
export class UnknownOutcomeError extends Error {
  constructor(
    readonly submission: Submission,
    override readonly cause: unknown,
  ) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`It is not known whether the token ${submission.mintAddress} was launched: ${why}`);
    this.name = 'UnknownOutcomeError';
  }
}

/** Statuses with which a submission is refused for good. */
const REFUSED = [400, 403, 404, 409, 413];

/** What a submitted launch ended with, and whether it may have arrived: where the service or the chain has refused it, it has not. */
export function undecided(submission: Submission, cause: unknown): unknown {
  if (!(cause instanceof Problem)) return new UnknownOutcomeError(submission, cause);
  const final =
    cause.code === 'chain_refused' ||
    (REFUSED.includes(cause.status) && cause.code !== 'idempotency_in_progress');
  return final ? cause : new UnknownOutcomeError(submission, cause);
}
