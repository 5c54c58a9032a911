// Package distribution is the room for how a token's tax becomes rewards: the dispatcher's slots,
// runs, payouts, the exchange, the books, notices, the journal, and changing settings.
//
// It imports platform, solana, token and proof.
package distribution
