// Package ipfs names content and has it pinned. CID is the name, computed here
// without any network. Kubo and Pinata are two services that pin; each has the
// content pinned under the very CID that was computed here, or says that it was
// not.
//
// # What a Kubo node must serve
//
// One call of the Kubo RPC, and no other:
//
//	POST /api/v0/add?chunker=size-262144&cid-version=1&hash=sha2-256&pin=true&raw-leaves=true&wrap-with-directory=false
//	Content-Type: multipart/form-data; one part, form field "file", with a file name
//
// The answer is 200 and one JSON object a line. The last line counts; of it only
// "Hash" is read: {"Name":"…","Hash":"bafkrei…","Size":"…"}. A refusal is any other
// status, with {"Message":"…","Code":0,"Type":"error"}. The call may be made any
// number of times for the same content. Content is at most MaxBytes long, which
// is one chunk, so the node stores one raw block and pins it recursively or
// directly, as it likes.
package ipfs
