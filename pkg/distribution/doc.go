// Package distribution is the room for how a token's tax becomes rewards: the dispatcher's slots,
// runs, payouts, the exchange, the books, notices, the journal, changing settings, and the record of the status page.
//
// It imports platform, solana, token and proof.
package distribution
