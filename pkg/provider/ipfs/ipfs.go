// Package ipfs names content and has it pinned. CID is the name, computed here
// without any network. Kubo and Pinata are two services that pin; each has the
// content pinned under the very CID that was computed here, or says that it was
// not.
//
// # What a Kubo node must serve
//
// Two calls of the Kubo RPC, and no other:
//
//	POST /api/v0/add?chunker=size-262144&cid-base=base32&cid-version=1&hash=sha2-256&pin=true&raw-leaves=true&wrap-with-directory=false
//	Content-Type: multipart/form-data; one part, form field "file", with a file name
//
// The answer is 200 and one JSON object a line. The last line counts; of it only
// "Hash" is read: {"Name":"…","Hash":"bafkrei…","Size":"…"}. A refusal is any other
// status, with {"Message":"…","Code":0,"Type":"error"}. The call may be made any
// number of times for the same content. Content is at most MaxBytes long, which
// is one chunk, so the node stores one raw block and pins it recursively or
// directly, as it likes.
//
//	POST /api/v0/pin/rm?arg=<cid>
//
// The answer is 200. Of a refusal, {"Message":"… not pinned …"} counts as 200 does.
package ipfs

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
)

// MaxBytes is the longest content that has a CID here: one chunk of the default
// chunker of Kubo, size-262144.
const MaxBytes = 262_144

// CID is the name of the content: version 1, raw codec, SHA-256, in base32. It is
// what `ipfs add --cid-version=1` answers. Longer content than MaxBytes is an
// error, because there the name is the root of a tree of chunks and no longer
// the hash of the content.
func CID(content []byte) (string, error) {
	if len(content) > MaxBytes {
		return "", fmt.Errorf("%d bytes are more than one IPFS chunk of %d, whose hash is the content id", len(content), MaxBytes)
	}
	hash := sha256.Sum256(content)
	return "b" + lower.EncodeToString(append(beforeHash[:], hash[:]...)), nil
}

// lower is the base 32 of RFC 4648 in lower case without padding, which a CID announces
// by "b".
var lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// beforeHash is what a CID of version 1 begins with: the version, the raw codec, SHA-256
// and its length (Multicodec table). The module go-cid would write the same, and bring
// four more families of hashes into every function that names content; the tests read
// ours by it.
var beforeHash = [...]byte{0x01, 0x55, 0x12, sha256.Size}

// MismatchError says that a service gave the content another name than ours.
// What it stored is then not what it was sent, or not in the form that the name
// stands for.
type MismatchError struct {
	Want, Got string
}

// Error names both.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("the pinning service answers content id %q, and ours is %q", e.Got, e.Want)
}

// compare returns a MismatchError unless the service's name is ours. Both services name
// content in base 32.
func compare(want, got string) error {
	if got != want {
		return &MismatchError{Want: want, Got: got}
	}
	return nil
}

// Pinner pins content to IPFS. A nil error of Pin promises that the service calls it
// cid, which is CID(content).
type Pinner interface {
	Pin(ctx context.Context, cid string, content []byte) error
	// Unpin takes the pin of a content off; that there is none is a success. What others
	// have of it they keep.
	Unpin(ctx context.Context, cid string) error
}
