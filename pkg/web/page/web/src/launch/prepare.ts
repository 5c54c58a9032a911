import { base64 } from '@scure/base';
import { answer, api, bearer, type Schemas } from '../api/client';
import { ApiProblem } from '../api/problem';
import { serviceNow } from '../wallet/clock';
import type { Done } from '../wallet/flow';
import type { Session } from '../wallet/session';
import type { Body } from './body';
import { change, draft } from './draft';
import { keyOf } from './key';

/** A wallet that no token uses is forgotten after 24 hours; ours is replaced an hour before. */
const WALLET_LIFE = 23 * 3_600_000;

/**
 * Makes the launch transaction of a body: the picture is uploaded and a distribution wallet asked
 * for where that was not done before. Each step is written down, so that none is done twice.
 */
export async function prepareLaunch(
  session: Session,
  body: Partial<Body>,
  key: string,
): Promise<Schemas['UnsignedToken']> {
  try {
    return await once(session, body, key);
  } catch (cause) {
    if (!(cause instanceof ApiProblem) || !forgotten(cause)) throw cause;
    return once(session, body, key);
  }
}

/** Drops what the service does not know any more; true when there was such a thing. */
function forgotten(problem: ApiProblem): boolean {
  const { picture } = draft.value;
  const codes = [problem.code, ...problem.fields.map((f) => f.code)];
  if (codes.includes('unknown_image') && picture?.uri) change({ picture: { ...picture, uri: null } });
  else if (codes.includes('unknown_wallet') || codes.includes('wallet_in_use')) change({ wallet: null });
  else return false;
  return true;
}

async function once(
  session: Session,
  partial: Partial<Body>,
  key: string,
): Promise<Schemas['UnsignedToken']> {
  const headers = bearer(session.token);
  const imageUri = await upload(session);
  const walletId = await distributionWallet();
  const body = { ...partial, imageUri, walletId } as Body;
  const again = await keyOf(key, body);
  return answer(api.POST('/tokens/create-unsigned', { body, headers: { ...headers, ...again } }));
}

/** Gives the address of the picture, which is uploaded once. */
async function upload(session: Session): Promise<string> {
  const { picture } = draft.value;
  if (!picture) throw new ApiProblem('no_picture', 'Choose a picture first.');
  if (picture.uri) return picture.uri;
  const form = new FormData();
  const bytes = base64.decode(picture.data.slice(picture.data.indexOf(',') + 1));
  form.append('image', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'picture.jpg');
  const { imageUri } = await answer(
    api.POST('/tokens/upload-image', {
      body: form as never,
      bodySerializer: (body: unknown) => body as FormData,
      headers: bearer(session.token),
    }),
  );
  if (draft.value.picture === picture) change({ picture: { ...picture, uri: imageUri } });
  return imageUri;
}

async function distributionWallet(): Promise<string> {
  const { wallet } = draft.value;
  if (wallet?.address && Date.now() - wallet.at < WALLET_LIFE) return wallet.id;
  const { walletId, address } = await answer(api.POST('/tokens/generate-distribution-wallet'));
  change({ wallet: { id: walletId, address, at: Date.now() } });
  return walletId;
}

/** Asks for the same launch on a newer blockhash. It does not count as another one. */
export function renewLaunch(
  session: Session,
  unsigned: Schemas['UnsignedToken'],
): Promise<Schemas['Refresh']> {
  const params = { path: { transactionId: unsigned.transactionId } };
  return answer(
    api.POST('/tokens/transactions/{transactionId}/refresh', { params, headers: bearer(session.token) }),
  );
}

/** How a launch ended. */
export interface LaunchDone extends Done {
  readonly token: Schemas['Token'];
}

/** Milliseconds between two looks at a token that is on its way; longer after a while. */
const LOOKS = [1_500, 2_000, 3_000, 5_000, 8_000];

/** Milliseconds after its time in which a launch is seen that has come in time. */
const LATE = 15_000;

/**
 * Submits what was signed and waits until the chain has decided. Going on with it again first looks
 * whether it has landed: a submission counts towards the limit of 5 an hour.
 */
export async function submitLaunch(
  session: Session,
  unsigned: Schemas['UnsignedToken'],
  signedTransaction: string,
  tell: (text: string) => void,
  again: boolean,
): Promise<LaunchDone> {
  const submit = async () => {
    const got = await answer(
      api.POST('/tokens/submit', {
        body: { transactionId: unsigned.transactionId, signedTransaction },
        headers: bearer(session.token),
      }),
    );
    return got.token as Schemas['Token'];
  };
  let token = again ? await find(unsigned.mintKeypair.publicKey) : null;
  if (token === null) {
    tell('Sending your launch …');
    token = await submit();
  }
  let asked = false;
  for (let look = 0; token.status === 'submitted'; look++) {
    tell('Sent. Waiting for confirmation …');
    if (!asked && serviceNow() > Date.parse(unsigned.expiresAt) + LATE) {
      // It may have been lost: then the service says so, and has a fresh one to sign.
      asked = true;
      token = await submit();
      continue;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOKS[Math.min(look, LOOKS.length - 1)]));
    token = (await find(token.mintAddress)) ?? token;
  }
  if (token.status === 'failed')
    throw new ApiProblem(
      'chain_refused',
      'The network rejected the launch. No token was created; you can try again.',
    );
  return { signature: token.signature, token };
}

async function find(mintAddress: string): Promise<Schemas['Token'] | null> {
  try {
    const got = await answer(api.GET('/tokens/{mintAddress}', { params: { path: { mintAddress } } }));
    return got as Schemas['Token'];
  } catch (cause) {
    if (cause instanceof ApiProblem && cause.status === 404) return null;
    throw cause;
  }
}
