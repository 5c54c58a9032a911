// Package verify checks a proof with nothing but its files, and with a node also what landed.
//
// It shows that the allocation follows from the snapshot that the service took and that every unit
// is accounted for. It does not show that the snapshot is the chain's without a node, nor that an
// exchange got the best price: see Limits. It imports nothing that writes a proof.
package verify
