import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answer, type Schemas } from 'tokenlaunch/api';
import { api } from '../api/client';
import { useLoad } from '../api/load';
import { useRules } from '../form/rules';
import { Thumb } from '../lists/picture';
import { FiguresPanel } from '../token/figures';
import { Standing } from '../token/head';
import { Address, Loaded, Notice, Trouble } from '../ui/parts';
import { usePoll } from '../ui/poll';
import type { Session } from '../wallet/session';
import { readSettings, type Settings } from './change';
import { FeaturedPurchase } from './featured';
import { SettingsForm } from './form';
import { HandoverPart } from './handover/part';
import { Income } from './income';
import { Lock } from './lock/part';
import { Markets } from './market';
import { Overview } from './overview';
import { Pause } from './pause';
import { TaxChange } from './tax';
import { Telegram } from './telegram';

/** The interval at which the settings are read again, to notice changes made elsewhere, in milliseconds. */
const EVERY = 120_000;

/** All tasks of a creator for a token. */
export function Dashboard(props: { session: Session; mint: string }) {
  const { session, mint } = props;
  const load = useLoad(`own ${session.wallet} ${mint}`, async () => {
    const found = await answer(api.GET('/tokens/{mintAddress}', { params: { path: { mintAddress: mint } } }));
    return found as Schemas['Token'];
  });
  usePoll(load.reload, load.data?.status === 'submitted' ? 15_000 : null);
  return (
    <>
      <p>
        <a href="/mine">All my tokens</a>
      </p>
      <Loaded load={load} what="the token">
        {(token) =>
          token.creator === session.wallet ? (
            <Own session={session} token={token} reload={load.reload} />
          ) : (
            <Notice kind="warn">
              <p>
                This token was launched by another wallet,{' '}
                <Address address={token.creator} of="creator's address" />. Only that wallet can change it.
              </p>
              <p>
                <a href={`/t/${mint}`}>View the token</a>
              </p>
            </Notice>
          )
        }
      </Loaded>
    </>
  );
}

function Own(props: { session: Session; token: Schemas['Token']; reload: () => void }) {
  const { session, token, reload } = props;
  const mint = token.mintAddress;
  const load = useLoad(`settings ${session.wallet} ${mint}`, () => readSettings(session, mint));
  const [settings, setSettings] = useState<Settings | null>(null);
  useEffect(() => {
    if (load.data) setSettings(load.data);
  }, [load.data]);
  usePoll(load.reload, EVERY);
  const rules = useRules();
  const checker = rules.data?.('SettingsChange') ?? null;
  return (
    <>
      <header class="own">
        <Thumb mint={mint} token={token} />
        <div>
          <h2>
            <bdi>{token.name}</bdi> <bdi class="faint">{token.symbol}</bdi>
          </h2>
          <ul class="links">
            <li>
              <a href={`/t/${mint}`}>Token page</a>
            </li>
            <li>
              <a href={`/t/${mint}#runs`}>Distributions</a>
            </li>
          </ul>
        </div>
      </header>
      <Standing token={token} />
      {token.status === 'confirmed' ? (
        <>
          <FiguresPanel token={token} />
          <Part id="overview" title="So far">
            <Overview token={token} />
          </Part>
          <Part id="income" title="Your income">
            <Income session={session} token={token} settings={settings} />
          </Part>
          <Part id="lock" title="Lock over time">
            <Lock session={session} token={token} />
          </Part>
        </>
      ) : null}
      {load.problem ? <Trouble problem={load.problem} retryAt={load.retryAt} retry={load.reload} /> : null}
      {settings === null ? (
        load.problem ? null : (
          <p class="faint">Loading settings …</p>
        )
      ) : (
        <>
          <Part id="state" title="Distribution">
            <Pause session={session} token={token} settings={settings} onSettings={setSettings} />
          </Part>
          <Part id="settings" title="Settings">
            {rules.problem ? (
              <Trouble problem={rules.problem} retryAt={rules.retryAt} retry={rules.reload} />
            ) : null}
            <SettingsForm
              session={session}
              token={token}
              settings={settings}
              checker={checker}
              onSettings={setSettings}
            />
          </Part>
          <Part id="telegram" title="Telegram">
            <Telegram session={session} mint={mint} settings={settings} onSettings={setSettings} />
          </Part>
        </>
      )}
      {token.status === 'confirmed' ? (
        <>
          <Part id="tax" title="Tax">
            <TaxChange session={session} token={token} checker={checker} />
          </Part>
          <Part id="featured" title="Featured">
            <FeaturedPurchase session={session} token={token} reload={reload} />
          </Part>
          <Part id="markets" title="Where it trades">
            <Markets session={session} token={token} checkers={rules.data} />
          </Part>
          <Part id="handover" title="Hand-over">
            <HandoverPart session={session} mint={mint} />
          </Part>
        </>
      ) : null}
    </>
  );
}

function Part(props: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section class="part" id={props.id} aria-labelledby={`${props.id}-title`}>
      <h3 id={`${props.id}-title`}>{props.title}</h3>
      {props.children}
    </section>
  );
}
