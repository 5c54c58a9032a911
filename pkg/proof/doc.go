// Package proof is the room for what shows that a distribution was right: who held what
// (snapshot), who gets what (allocation), the files and their Merkle tree, and the
// verifier. It imports nothing of the room distribution, so that the verifier does not
// rest on what it verifies.
//
// It imports platform, solana and token.
//
// Its own package shows what a distribution run did, so that anyone can check it.
//
// A proof is a bundle of files, each named by its content: lists in CSV (who got
// what; who was left out, and why; the transactions), a manifest in JSON that
// names them with all the inputs, and the anchor, a transaction of
// the distribution wallet whose memo has the Merkle root of the rows and the hash
// of the manifest. So the anchor alone, which is on the chain, fixes every byte of
// the bundle.
//
// It promises: each thing has one spelling, and any other is refused; files are at
// most MaxFile long, which is one block, so that a content id is a hash; the
// same run gives the same bytes, so making a proof again after a crash gives the
// same proof; lists are written and read as streams, with a few blocks in memory.
//
// Verify recomputes everything, with no network. It shows that the allocation
// follows from the snapshot that the service took and that every unit is accounted
// for. It does not show that the snapshot is the chain's, nor that an exchange
// got the best price.
package proof
