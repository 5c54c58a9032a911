import { ServiceStatus } from '../about/status';
import { config } from '../config';
import '../styles/token.css';
import { Section } from '../token/parts';
import { useTarget } from '../ui/target';

const questions: readonly (readonly [question: string, reply: string])[] = [
  [
    'Where does the money come from?',
    'From the token’s own tax. Each transfer, and so each purchase and sale, leaves a part of the tokens in the token’s distribution wallet. Without trades there is nothing to pay out.',
  ],
  [
    'Do I have to claim it?',
    'No. Payouts go to the wallets that hold the token. A very small amount can wait until it is worth its network fee, and you can claim it earlier on “My rewards”.',
  ],
  [
    'Why was I paid nothing?',
    'Look up your wallet under “What did I get?” on the token’s page: the answer names the reason, such as a minimum holding, no market yet, or a pause by the creator.',
  ],
  [
    'What can the creator still change?',
    'The token’s page shows this first. No key can mint more tokens or freeze yours.',
  ],
  [
    'What happens without a market?',
    'The tax cannot be sold, so it waits in the distribution wallet until there is a market.',
  ],
  [
    'What do I trust the service for?',
    'For the keys of the distribution wallets. Every payout has a proof, which your own browser can check against the chain without us.',
  ],
  [
    'What do I sign?',
    'A text to sign in, which is free and moves nothing, and transactions that are explained step by step before your wallet asks. This page composes each transaction a second time, and shows it to your wallet only if both are equal.',
  ],
];

/** The page "How it works", with fees, questions and the status. */
export function Page() {
  return (
    <div class="token-page">
      <h1>How it works</h1>
      <Section id="how" title="In three steps">
        <ol>
          <li>
            <strong>A tax on every transfer.</strong> The token’s creator chooses it at the launch. The chain
            itself takes it, in every trade and at every venue.
          </li>
          <li>
            <strong>On schedule, the tax is shared out.</strong> A part may be burned and a part may go to the
            creator. The rest is sold for SOL or another token, and goes to the holders in proportion to what
            they hold.
          </li>
          <li>
            <strong>Every payout is proven.</strong> Balances, amounts and transactions are published, and
            their fingerprint is on the chain. Press “Verify” at a payout, and your browser checks it.
          </li>
        </ol>
      </Section>
      <Section id="fees" title="What it costs">
        <dl class="pairs">
          <div>
            <dt>Holding and being paid</dt>
            <dd>
              Nothing beforehand. Network fees come out of the tax. A reward that needs a new account in your
              wallet costs that account’s rent once, taken from the payout.
            </dd>
          </div>
          <div>
            <dt>Trading</dt>
            <dd>The token’s tax, the fee of the curve or pool, and the network’s fee.</dd>
          </div>
          <div>
            <dt>Launching</dt>
            <dd>Rent and network fees of the chain, shown to the lamport before you sign.</dd>
          </div>
          <div>
            <dt>What {config.name} keeps</dt>
            <dd>No part of the tax. A creator can pay to have a token featured.</dd>
          </div>
        </dl>
      </Section>
      <Section id="questions" title="Questions">
        {questions.map(([question, reply]) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{reply}</p>
          </details>
        ))}
      </Section>
      <Section id="status" title="Status of the service">
        <ServiceStatus />
        <p class="faint">
          For programs: <a href="/status">/status</a> and <a href="/docs">the API</a>.
        </p>
      </Section>
      <Target />
    </div>
  );
}

/** Scrolls to the part in the address after the parts exist. */
function Target() {
  useTarget();
  return null;
}
