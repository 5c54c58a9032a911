// Package format is the format of a proof: the manifest, the lists and their files, the memo of the
// anchor, and how they are read. Each thing has one spelling, and any other is refused. Files are at
// most MaxFile long, which is one block, so that a content id is a hash. Lists are read as streams.
//
// It verifies nothing but the spelling and the hashes of files: see package verify.
package format
