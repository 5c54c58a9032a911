import { base58 } from '@scure/base';
import { answer, bearer, Problem, type Schemas } from 'tokenlaunch/api';
import { settingsText } from 'tokenlaunch/sign';
import { api } from '../api/client';
import { keyOf } from '../form/key';
import type { Session } from '../wallet/session';

export type Settings = Schemas['EffectiveSettings'];

/** Reads the settings of the creator's token. */
export const readSettings = (session: Session, mint: string): Promise<Settings> =>
  answer(
    api.GET('/distribution/{tokenId}/settings', {
      params: { path: { tokenId: mint } },
      headers: bearer(session.token),
    }),
  );

/**
 * Changes the settings. The change is idempotent and needs no key. A transaction that is requested
 * with the change needs a key, so that only one transaction is created.
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

/** The problem code of an unsigned change; the change can be saved without a signature. */
export const UNSIGNED = 'unsigned';

/**
 * Returns the creator's signature over the settings after a change, or over the present settings if
 * nothing changes. Throws UNSIGNED if the wallet returns no signature.
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
