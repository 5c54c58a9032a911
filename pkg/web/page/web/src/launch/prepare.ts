import { base64 } from '@scure/base';
import { answer, bearer, Problem, type Schemas } from 'tokenlaunch/api';
import { submit, uploadPicture } from 'tokenlaunch/launch';
import { api } from '../api/client';
import { keyOf } from '../form/key';
import { serviceNow } from '../wallet/clock';
import type { Done } from '../wallet/flow';
import type { Session } from '../wallet/session';
import type { Body } from './body';
import { change, draft } from './draft';

/** The service forgets an unused wallet after 24 hours. The page replaces its wallet an hour earlier. */
const WALLET_LIFE = 23 * 3_600_000;

/**
 * Calls the service with the whole body of a launch. Uploads the picture and requests a
 * distribution wallet, unless already done. Each step is stored, so that no step is repeated.
 */
async function withBody<T>(
  session: Session,
  partial: Partial<Body>,
  call: (body: Body) => Promise<T>,
): Promise<T> {
  const once = async () => {
    const imageUri = await upload(session);
    const walletId = await distributionWallet();
    return call({ ...partial, imageUri, walletId } as Body);
  };
  try {
    return await once();
  } catch (cause) {
    if (!(cause instanceof Problem) || !forgotten(cause)) throw cause;
    return once();
  }
}

/** Requests a review of a launch. A review prepares nothing, and does not count as a launch. */
export const reviewLaunch = (session: Session, partial: Partial<Body>): Promise<Schemas['ValidToken']> =>
  withBody(session, partial, (body) =>
    answer(api.POST('/tokens/validate', { body, headers: bearer(session.token) })),
  );

/** Creates the launch transaction of a body. A wallet can create only a few in an hour. */
export const prepareLaunch = (
  session: Session,
  partial: Partial<Body>,
  key: string,
): Promise<Schemas['UnsignedToken']> =>
  withBody(session, partial, async (body) => {
    const headers = { ...bearer(session.token), ...(await keyOf(key, body)) };
    return answer(api.POST('/tokens/create-unsigned', { body, headers }));
  });

/** Drops data that the service no longer knows; returns whether there was such data. */
function forgotten(problem: Problem): boolean {
  const { picture } = draft.value;
  const codes = [problem.code, ...problem.fields.map((f) => f.code)];
  if (codes.includes('unknown_image') && picture?.uri) change({ picture: { ...picture, uri: null } });
  else if (codes.includes('unknown_wallet') || codes.includes('wallet_in_use')) change({ wallet: null });
  else return false;
  return true;
}

/** Returns the address of the picture, which is uploaded once. */
async function upload(session: Session): Promise<string> {
  const { picture } = draft.value;
  if (!picture) throw new Problem('no_picture', 'Choose a picture first.');
  if (picture.uri) return picture.uri;
  const bytes = base64.decode(picture.data.slice(picture.data.indexOf(',') + 1));
  const imageUri = await uploadPicture(api, bytes, bearer(session.token));
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

/** Requests the same launch with a newer blockhash. The request does not count as another launch. */
export function renewLaunch(
  session: Session,
  unsigned: Schemas['UnsignedToken'],
): Promise<Schemas['Refresh']> {
  const params = { path: { transactionId: unsigned.transactionId } };
  return answer(
    api.POST('/tokens/transactions/{transactionId}/refresh', { params, headers: bearer(session.token) }),
  );
}

/** The outcome of a launch. */
export interface LaunchDone extends Done {
  readonly token: Schemas['Token'];
}

/** Submits the signed transaction and waits for the chain's decision. */
export async function submitLaunch(
  session: Session,
  unsigned: Schemas['UnsignedToken'],
  signedTransaction: string,
  tell: (text: string) => void,
  again: boolean,
): Promise<LaunchDone> {
  const { transactionId, expiresAt } = unsigned;
  const token = await submit(
    api,
    { transactionId, signedTransaction, mintAddress: unsigned.mintKeypair.publicKey, expiresAt },
    { headers: bearer(session.token), tell, again, now: serviceNow },
  );
  return { signature: token.signature, token };
}
