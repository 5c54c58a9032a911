// Package ipfs names content and pins content. CID computes the name without network access. Kubo
// and Pinata are two pinning services. Each Pin either succeeds under the CID that CID computed, or
// returns an error.
//
// # What a Kubo node must serve
//
// A node must serve two calls of the Kubo RPC:
//
//	POST /api/v0/add?chunker=size-262144&cid-base=base32&cid-version=1&hash=sha2-256&pin=true&raw-leaves=true&wrap-with-directory=false
//	Content-Type: multipart/form-data; one part, form field "file", with a file name
//
// The response has status 200 and one JSON object a line. Only "Hash" of the last line is read:
// {"Name":"…","Hash":"bafkrei…","Size":"…"}. An error response has another status, with
// {"Message":"…","Code":0,"Type":"error"}. The call is idempotent. Content has at most MaxBytes
// bytes, which is one chunk. So the node stores one raw block, and may pin the block recursively or
// directly.
//
//	POST /api/v0/pin/rm?arg=<cid>
//
// The response has status 200. The error response {"Message":"… not pinned …"} counts as success.
package ipfs

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
)

// MaxBytes is the maximum length of content with a CID of this package: one chunk of Kubo's default
// chunker, size-262144.
const MaxBytes = 262_144

// CID returns the name of the content: version 1, raw codec, SHA-256, in base32. `ipfs add
// --cid-version=1` returns the same name. Content of more than MaxBytes bytes is an error, because
// the name would be the root of a tree of chunks instead of the hash of the content.
func CID(content []byte) (string, error) {
	if len(content) > MaxBytes {
		return "", fmt.Errorf("%d bytes are more than one IPFS chunk of %d, whose hash is the content id", len(content), MaxBytes)
	}
	hash := sha256.Sum256(content)
	return "b" + lower.EncodeToString(append(beforeHash[:], hash[:]...)), nil
}

// lower is the base 32 of RFC 4648 in lower case without padding. A CID announces this encoding by
// "b".
var lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// beforeHash is the prefix of a CID of version 1: the version, the raw codec, SHA-256 and the
// length of the hash (Multicodec table). The module go-cid would write the same prefix, but link
// four more families of hashes into every function that names content. The tests decode this
// package's CIDs with go-cid.
var beforeHash = [...]byte{0x01, 0x55, 0x12, sha256.Size}

// MismatchError reports that a service returned another CID than the expected CID. The service then
// stored other content, or the content in another form.
type MismatchError struct {
	Want, Got string
}

// Error returns a text with both CIDs.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("the pinning service answers content id %q, and ours is %q", e.Got, e.Want)
}

// compare returns a MismatchError unless the service's CID is the expected CID. Both services write
// CIDs in base 32.
func compare(want, got string) error {
	if got != want {
		return &MismatchError{Want: want, Got: got}
	}
	return nil
}

// Pinner pins content to IPFS. If Pin returns nil, the service uses the name cid, which is
// CID(content).
type Pinner interface {
	Pin(ctx context.Context, cid string, content []byte) error
	// Unpin removes the pin of a content. Removing a missing pin is not an error. Copies on other
	// nodes remain.
	Unpin(ctx context.Context, cid string) error
}
