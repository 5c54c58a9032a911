// Package launch is the layer of token creation: the launch and its nonces, the image, and the
// reconciler of undecided launches. The layer imports platform, solana, token and proof.
//
// The package itself prepares the transaction that creates a taxed token, and sends the transaction
// after the creator has signed.
//
// It promises:
//
//   - The creator's key is never needed.
//   - A prepared transaction that is not submitted within five minutes can never land, because the
//     service's key signs last, on submit.
//   - A submitted transaction is recorded before the service sends it, so that the record can be
//     reconciled with the chain after any crash.
package launch
