/** The server's configuration in the page's shell; pkg/web/page writes the configuration. */
export interface Config {
  /** The name of the product, from pkg/web/errorpage. */
  readonly name: string;
  /** "devnet" or "mainnet". */
  readonly network: string;
  readonly stage: string;
  /** The public address of the API; the page itself calls its own origin. */
  readonly apiUrl: string;
  /** A public Solana node, from which the page reads data for verification, instead of from the service. */
  readonly rpcUrl: string;
  /** The address of pictures and proofs. */
  readonly filesUrl: string;
  /** The address of a proof's file, with {cid} for its content ID and {extension} for its kind. */
  readonly proofUrl: string;
  /** Addresses of an explorer, with {} for the signature or address. */
  readonly explorer: { readonly transaction: string; readonly address: string };
  /** Whether the page may create wallets in the browser: only on the local stack. */
  readonly burner: boolean;
  /** Keys that the page accepts as markets: only on the local stack. */
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

/** Returns the explorer's link to a transaction. */
export const transactionLink = (signature: string): string =>
  config.explorer.transaction.replace('{}', signature);

/** Returns the explorer's link to an address. */
export const addressLink = (address: string): string => config.explorer.address.replace('{}', address);
