// Written by `make generate` from proof.TrustList.

/** The number of the list: a manifest with a higher one is of a newer verifier's. */
export const TRUST_LIST_VERSION = 1n;

/** The programs that may receive the wallet's signature to sell tokens. */
export const TRUSTED_PROGRAMS: readonly string[] = [
  'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', // Jupiter 6
  'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', // Raydium CPMM
  'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb', // Raydium CPMM (devnet)
  'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG', // Meteora DAMM v2
];
