/**
 * The beginnings of sentences about an instruction that every transaction needs: they move nothing
 * that the costs do not have. pkg/solana/transaction and pkg/market/wsol.go write the sentences.
 */
const TECHNICAL = [
  'Uses up a one-time number',
  'Needs the signature of the service',
  'Limits the compute units',
  'Adds a priority fee',
  'Opens your account of wrapped SOL',
  'Counts it as wrapped SOL',
  'Closes your account of wrapped SOL',
] as const;

/** Returns whether a sentence of an explanation is about a technical step, which is folded. */
export const technical = (sentence: string): boolean => TECHNICAL.some((begin) => sentence.startsWith(begin));
