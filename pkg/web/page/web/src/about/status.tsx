import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { moment } from '../ui/clock';
import { Loaded } from '../ui/parts';
import { usePoll } from '../ui/poll';

type Status = Schemas['Status'];
type State = Status['status'];

/** The state of the whole service, in a sentence. */
export const overall: Readonly<Record<State, string>> = {
  ok: 'Everything works.',
  degraded: 'It works, but something is late.',
  down: 'Something does not work right now.',
  unknown: 'The state is not known right now.',
};

const states: Readonly<Record<State, string>> = {
  ok: 'Works',
  degraded: 'Late',
  down: 'Does not work',
  unknown: 'Not known',
};

const kinds: Readonly<Record<State, string>> = { ok: 'good', degraded: 'work', down: 'bad', unknown: 'none' };

/** The parts, by their meaning for visitors. */
const parts: readonly (readonly [keyof Status['parts'], string])[] = [
  ['chain', 'Solana network'],
  ['launches', 'Launching tokens'],
  ['distributions', 'Paying holders'],
  ['notices', 'Messages to Telegram'],
  ['pins', 'Keeping proofs on IPFS'],
];

/** The interval at which the status is read again, in milliseconds. The service updates it each minute. */
const EVERY = 60_000;

/** The state of the service in words, with the reasons. */
export function ServiceStatus() {
  const load = useLoad('status', () => answer(api.GET('/status')));
  usePoll(load.reload, EVERY);
  return (
    <Loaded load={load} what="the status">
      {(status) => (
        <>
          <p>
            <strong>{overall[status.status]}</strong>
            {status.at ? <span class="faint"> Checked {moment(status.at)}.</span> : null}
          </p>
          {status.reasons.length > 0 ? (
            <ul>
              {status.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          ) : null}
          <dl class="pairs service">
            {parts.map(([part, name]) => (
              <div key={part}>
                <dt>{name}</dt>
                <dd>
                  <span class={`status ${kinds[status.parts[part].status]}`}>
                    {states[status.parts[part].status]}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Loaded>
  );
}
