/** What the server says about itself in the page's shell; pkg/web/page writes it. */
export interface Config {
  /** What the product is called; pkg/web/errorpage has it. */
  readonly name: string;
  /** "devnet" or "mainnet". */
  readonly network: string;
  readonly stage: string;
  /** Where others reach the API; the page itself calls its own origin. */
  readonly apiUrl: string;
  /** A public Solana node: what is verified is read there, not from the service. */
  readonly rpcUrl: string;
  /** Where pictures and proofs are. */
  readonly filesUrl: string;
  /** A file of a proof, with {cid} for its content id and {extension} for its kind's. */
  readonly proofUrl: string;
  /** Addresses of an explorer, with {} for the signature or address. */
  readonly explorer: { readonly transaction: string; readonly address: string };
  /** Whether a wallet may be made in the browser: on the local stack only. */
  readonly burner: boolean;
  /** Keys that the page takes for markets: on the local stack only. */
  readonly markets?: readonly string[];
  readonly version: string;
}

function read(): Config {
  const text = document.getElementById('config')?.textContent;
  if (!text) throw new Error('The page has no configuration');
  return JSON.parse(text) as Config;
}

/** The configuration of this deployment. */
export const config: Config = read();

/** Link to a transaction in the explorer. */
export const transactionLink = (signature: string): string =>
  config.explorer.transaction.replace('{}', signature);

/** Link to an address in the explorer. */
export const addressLink = (address: string): string => config.explorer.address.replace('{}', address);
