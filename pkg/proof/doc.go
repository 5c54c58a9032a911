// Package proof is the room for what shows that a distribution was right: who held what
// (snapshot), who gets what (allocation), the files (format) and their Merkle tree, what writes
// them (write) and the verifier (verify). It imports nothing of the room distribution, so that the
// verifier does not rest on what it verifies.
//
// It imports platform, solana and token.
//
// Its own package is the list of programs that may receive the distribution wallet's signature,
// which the signer and the verifiers share, and the tests of a proof from its writer to its
// verifier.
//
// A proof is a bundle of files, each named by its content: lists in CSV (who got
// what; who was left out, and why; the transactions), a manifest in JSON that
// names them with all the inputs, and the anchor, a transaction of
// the distribution wallet whose memo has the Merkle root of the rows and the hash
// of the manifest. So the anchor alone, which is on the chain, fixes every byte of
// the bundle.
package proof
