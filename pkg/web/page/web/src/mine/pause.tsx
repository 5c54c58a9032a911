import { useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { CallProblem, useCall } from '../ui/call';
import { useNow } from '../ui/clock';
import { every } from '../ui/interval';
import { Notice } from '../ui/parts';
import type { Session } from '../wallet/session';
import { changeSettings, order, readSettings, type Settings } from './change';
import { LastRun } from './last';
import { SaveUnsigned } from './signed';
import { from } from './when';

/** Shows whether tax is distributed and the time of the next distribution, with a way to pause and resume. */
export function Pause(props: {
  session: Session;
  token: Pick<Schemas['Token'], 'mintAddress' | 'symbol' | 'decimals'>;
  settings: Settings;
  onSettings: (settings: Settings) => void;
}) {
  const { session, token, settings, onSettings } = props;
  const call = useCall();
  const now = useNow();
  const [done, setDone] = useState('');
  const on = settings.distributionEnabled;
  const turn = (sign: boolean) => {
    setDone('');
    void call.run(async () => {
      const mint = token.mintAddress;
      const fresh = await readSettings(session, mint);
      onSettings(fresh);
      const body = { distributionEnabled: !on };
      const signed = sign ? { ...body, order: await order(session, mint, fresh, body) } : body;
      const after = await changeSettings(session, mint, signed);
      onSettings(after);
      setDone(after.distributionEnabled ? 'Distributions resumed.' : 'Distributions paused.');
    });
  };
  return (
    <div class="card state">
      <p>
        <strong>{on ? `Pays out ${every(settings.distributionInterval)}` : 'Paused'}</strong>
        {on ? <>. Next: {from(settings.effectiveAt, now)}.</> : null}
      </p>
      <LastRun token={token} />
      <p class="faint">
        {on
          ? 'Pausing stops all selling, burning and paying. Tax is still taken, and waits in the distribution wallet. A distribution that has started will finish.'
          : `Tax is still taken, and waits in the distribution wallet. If you resume now, the first distribution pays it out at ${from(settings.effectiveAt, now)}.`}
      </p>
      <CallProblem call={call} lost="Nothing has changed except what is shown here.">
        <SaveUnsigned call={call} save={() => turn(false)} />
      </CallProblem>
      {done ? (
        <Notice kind="good">
          <p>{done}</p>
        </Notice>
      ) : null}
      <button type="button" class={on ? 'plain' : ''} disabled={call.busy} onClick={() => turn(true)}>
        {call.busy ? 'Saving …' : on ? 'Pause distributions' : 'Resume distributions'}
      </button>
    </div>
  );
}
