// Package client is the room for the API for programs in Go, the command tokenlaunch, and in typescript
// the package for programs in TypeScript, with the same calls.
//
// It imports platform, solana, token and proof; the command also provider.
//
// Its own package calls the API of the token launch service.
//
// There is one method for each operation of the OpenAPI document, by its operationId,
// and the types are the document's schemas; the tests hold both to it. On top of them,
// Launch goes the whole way from a picture to a confirmed token, and the methods All…
// read lists page by page.
//
// It promises:
//   - Amounts are integers, never floating point. An answer that is refused is a *Problem.
//   - A token for signing in is got from the Signer when it is needed, and renewed.
//   - Nothing is signed unseen. A sign-in message must be one for this wallet and this
//     address, and is never the bytes of a transaction. Every transaction is composed a
//     second time, here, of what was asked for, and must be that to the byte: see
//     CheckLaunch and CheckPool. There is no method that signs any other.
//   - What can be repeated is, when the network or the service fails: reads, and writes
//     that carry an Idempotency-Key, which are then done once however often they arrive.
//     A wait that the service asks for is kept to. One that is longer than MaxWait is
//     left to the caller, as the problem that it is.
//
// A Client is safe for concurrent use.
package client
