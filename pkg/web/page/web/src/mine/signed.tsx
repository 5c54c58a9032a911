import { type Call, CallProblem, useCall } from '../ui/call';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import { changeSettings, order, readSettings, type Settings, UNSIGNED } from './change';

/** The way to continue if the creator's wallet did not sign. */
export function SaveUnsigned(props: { call: Call; save: () => void }) {
  if (props.call.problem?.code !== UNSIGNED) return null;
  return (
    <>
      <p>
        You can save without a signature. It works the same, but the proofs of your distributions cannot show
        that you ordered it.
      </p>
      <button type="button" class="plain" disabled={props.call.busy} onClick={props.save}>
        Save without signing
      </button>
    </>
  );
}

/** Shows whether the creator signed the present settings, with a way to sign. */
export function SignSettings(props: {
  session: Session;
  token: { mintAddress: string };
  settings: Settings;
  onSettings: (settings: Settings) => void;
}) {
  const { session, settings, onSettings } = props;
  const mint = props.token.mintAddress;
  const call = useCall();
  if (settings.orderedByCreator)
    return <p class="faint">Version {settings.version} of these settings is signed by your wallet.</p>;
  const sign = () =>
    void call.run(async () => {
      // The creator must see the settings before signing, so settings that were changed elsewhere are shown first.
      const fresh = await readSettings(session, mint);
      onSettings(fresh);
      if (fresh.version !== settings.version) return;
      onSettings(await changeSettings(session, mint, { order: await order(session, mint, settings, {}) }));
    });
  return (
    <Notice kind="info">
      <p>
        Version {settings.version} of these settings is not signed by your wallet. Sign it, and the proofs of
        your distributions show that you ordered it. It is free.
      </p>
      <CallProblem call={call} lost="The settings are unchanged." />
      <button type="button" class="plain" disabled={call.busy} onClick={sign}>
        {call.busy ? 'Signing …' : 'Sign settings'}
      </button>
    </Notice>
  );
}
