/** What a witness signs who has rebuilt a proof from the chain: see docs/proof.md, "Attestations". */
import { base58 } from '@scure/base';
import { address, bytesOf } from './bytes.js';
import { Fault } from './fault.js';
import { isSigned } from './order.js';
import type { Report } from './report.js';

/** A witness's signature over a text; `key` and `signature` in base58. The file has these fields. */
export interface Attestation {
  readonly text: string;
  readonly key: string;
  readonly signature: string;
}

const MARKETS = '\nMarkets: ';

/** The one text of the report's proof for these markets; a Fault where no manifest was read. */
function attestationText({ anchor, manifest: m }: Report, markets: readonly string[]): string {
  if (!anchor || !m) throw new Fault('there is no proof to attest');
  return [
    'Tokenlaunch proof attestation',
    `Token: ${m.mint}`,
    `Run: ${m.runId}`,
    `Number: ${m.number}`,
    `Manifest: ${anchor.hash}`,
    `Anchor: ${anchor.signature}`,
    `Rows: ${m.rows.root}`,
    `Left out: ${m.leftOut.root}`,
    'Verdict: complete',
    `Markets: ${[...new Set(markets)].sort().join(',') || 'none'}`,
  ].join('\n');
}

/**
 * Throws a Fault unless the attestation's key signed that this very proof is complete. Returns the
 * keys that the witness took for markets. It is worth what the key is worth to the reader, who has
 * to name it: it makes no report complete.
 */
export function checkAttestation(a: Attestation, report: Report): readonly string[] {
  const at = a.text.lastIndexOf(MARKETS);
  if (at < 0) throw new Fault('it is no text of an attestation');
  const named = a.text.slice(at + MARKETS.length);
  const markets = named === 'none' ? [] : named.split(',');
  for (const key of markets) address(key);
  if (a.text !== attestationText(report, markets))
    throw new Fault('it is of another proof, or not in its one spelling');
  let signature: Uint8Array;
  try {
    signature = base58.decode(a.signature);
  } catch {
    throw new Fault('the signature is not in base58');
  }
  if (!isSigned(signature, bytesOf(a.text), address(a.key))) throw new Fault(`${a.key} has not signed it`);
  return markets;
}
