// Package format defines and reads the files of a proof: the manifest, the lists, and the memo of the
// anchor. Every value has one canonical encoding, and decoders reject any other encoding. A file has
// at most MaxFile bytes, one IPFS block, so a content id is a hash of the file. Lists are read as
// streams.
//
// The package verifies only encodings and hashes of files: see package verify for the rules.
package format
