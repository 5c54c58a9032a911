import { readFileSync } from 'node:fs';
import type { Schemas } from 'tokenlaunch/api';

/** The OpenAPI document as the service serves it. */
// biome-ignore lint/suspicious/noExplicitAny: a document, read as it is
export const document_: any = JSON.parse(
  readFileSync('../../../api/endpoint/docs/dist/openapi.json', 'utf8'),
);

function example(path: string): unknown {
  return document_.paths[path].get.responses['200'].content['application/json'].example;
}

/** What the document shows as the answer of each operation. */
export const examples = {
  token: example('/tokens/{mintAddress}') as Schemas['Token'],
  changes: example('/distribution/{tokenId}/changes') as Schemas['SettingsHistory'],
  handover: example('/distribution/{tokenId}/handover') as Schemas['Handover'],
  runs: example('/distribution/{tokenId}/runs') as Schemas['RunList'],
  run: example('/distribution/{tokenId}/runs/{runId}') as Schemas['Run'],
  preview: example('/distribution/{tokenId}/preview') as Schemas['RunPreview'],
  holder: example('/distribution/{tokenId}/holders/{wallet}') as Schemas['Holder'],
  ledger: example('/holders/{wallet}') as Schemas['HolderLedger'],
  payments: example('/holders/{wallet}/payments') as Schemas['HolderPayments'],
  burns: example('/burns/{mintAddress}') as Schemas['BurnHistory'],
  curve: example('/launchpad/{mintAddress}/status') as Schemas['Curve'],
  trades: example('/launchpad/{mintAddress}/trades') as Schemas['TradeList'],
  candles: example('/launchpad/{mintAddress}/candles') as Schemas['CandleList'],
  quote: example('/launchpad/{mintAddress}/price') as Schemas['PriceQuote'],
};
