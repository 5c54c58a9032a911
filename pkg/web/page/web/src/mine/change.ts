import { answer, api, bearer, type Schemas } from '../api/client';
import { keyOf } from '../launch/key';
import type { Session } from '../wallet/session';

export type Settings = Schemas['EffectiveSettings'];

/** Reads the settings of one's own token. */
export const readSettings = (session: Session, mint: string): Promise<Settings> =>
  answer(
    api.GET('/distribution/{tokenId}/settings', {
      params: { path: { tokenId: mint } },
      headers: bearer(session.token),
    }),
  );

/**
 * Changes them. Made twice it is the same change, so it needs no key; a transaction that is asked
 * for with it does, so that there is one only.
 */
export async function changeSettings(
  session: Session,
  mint: string,
  body: Partial<Schemas['SettingsChange']>,
  key?: string,
): Promise<Settings> {
  return answer(
    api.PATCH('/distribution/{tokenId}/settings', {
      params: { path: { tokenId: mint } },
      body,
      headers: { ...bearer(session.token), ...(key ? await keyOf(key, body) : {}) },
    }),
  );
}
