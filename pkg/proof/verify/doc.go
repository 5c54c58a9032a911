// Package verify checks a proof using only the proof's files, and with a node also against the
// chain.
//
// The package shows that the allocation follows from the service's snapshot, and that every unit is
// accounted for. Without a node, the package does not show that the snapshot matches the chain. The
// package never shows that an exchange got the best price: see Limits. The package imports no
// package that writes proofs.
package verify
