import { base58 } from '@scure/base';
import { answer, bearer, Problem, type Schemas } from 'tokenlaunch/api';
import { settingsText } from 'tokenlaunch/sign';
import { api } from '../api/client';
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

/** The code of the problem that a change was not signed; it can be made without. */
export const UNSIGNED = 'unsigned';

/**
 * The creator's signature over what a change makes of the settings as they are now, or over these
 * when it changes nothing. Throws UNSIGNED when the wallet gives none.
 */
export async function order(
  session: Session,
  mint: string,
  now: Settings,
  change: Partial<Schemas['SettingsChange']>,
): Promise<Schemas['SettingsOrder']> {
  const { version, text } = settingsText(mint, now, change);
  try {
    const signature = base58.encode(await session.signText(text));
    return { version, signature };
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Problem(UNSIGNED, `Your wallet did not sign, so nothing was saved yet. It said: ${said}`);
  }
}
