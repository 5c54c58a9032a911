import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from 'tokenlaunch/api';
import { Boundary } from '../ui/boundary';
import { usePoll } from '../ui/poll';
import { Burns } from './burns/panel';
import { HistoryPanel } from './history/panel';
import { Next } from './next/panel';
import { Section } from './parts';
import { useRuns } from './runs/runs';
import { RunTable } from './runs/table';
import { atWork } from './runs/words';

/** The interval at which an active distribution is polled, and the maximum number of polls for a due distribution. */
const OFTEN = 20_000;
const TIMES = 9;

/** The next distribution, the past distributions, and their burns. */
export function Distributions(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const runs = useRuns(token.mintAddress);
  const [awaited, await_] = useState(0);
  const newest = runs.items[0];
  const working = newest !== undefined && atWork(newest.status);
  usePoll(
    () => {
      if (!working) await_((n) => n - 1);
      runs.load.reload();
    },
    working || awaited > 0 ? OFTEN : null,
  );
  // The awaited distribution is visible now.
  useEffect(() => {
    if (working) await_(0);
  }, [working]);
  const ended = runs.load.data ? runs.items.filter((r) => !atWork(r.status)).length : null;
  return (
    <>
      <Boundary>
        <Next
          token={token}
          round={ended}
          begun={() => {
            await_(TIMES);
            runs.load.reload();
          }}
        />
      </Boundary>
      <Section id="runs" title="Distributions">
        <HistoryPanel token={token} runs={runs} />
        <RunTable token={token} runs={runs} />
      </Section>
      <Boundary>
        <Burns token={token} round={ended} />
      </Boundary>
    </>
  );
}
