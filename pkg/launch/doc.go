// Package launch is the room for how a token comes into being: the launch and its nonces,
// the picture, and the reconciler that ends what was left undecided.
//
// It imports platform, solana, token and proof.
//
// Its own package is the service's main job: it prepares the transaction that
// creates a taxed token, and sends it once its creator has signed it.
//
// What it promises: the creator's key is never needed; a prepared transaction
// that is not submitted within five minutes can never land, because the nonce
// authority has not signed it; and a submitted one is recorded before it is
// sent, so that after any crash the record and the chain can be brought
// together again.
package launch
