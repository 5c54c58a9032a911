package ipfsnode

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ipfs/go-cid"
	"github.com/multiformats/go-multihash"
)

// fixed are this node's settings of "add". A request may repeat these settings but not request
// other settings, so that a CID is never different from the requested CID.
var fixed = url.Values{
	"chunker":             {"size-262144"},
	"cid-base":            {"base32"},
	"cid-version":         {"1"},
	"hash":                {"sha2-256"},
	"pin":                 {"true"},
	"raw-leaves":          {"true"},
	"wrap-with-directory": {"false"},
}

// maxBlock is the chunk size in fixed. The CID of longer content is the root of a tree of chunks,
// which this node does not build.
const maxBlock = 262_144

func checkSettings(query url.Values) error {
	for name, values := range query {
		want, known := fixed[name]
		if !known {
			return fmt.Errorf("this node does not know the setting %s", name)
		}
		if len(values) != 1 || values[0] != want[0] {
			return fmt.Errorf("this node has %s=%s only", name, want[0])
		}
	}
	// Kubo's own default is version 0.
	if !query.Has("cid-version") {
		return errors.New("this node needs cid-version=1")
	}
	return nil
}

// add implements the Kubo RPC call "add" for a single file of one block. Added content stays until
// the content is unpinned or the node ends.
func (n *Node) add(w http.ResponseWriter, r *http.Request) {
	if err := checkSettings(r.URL.Query()); err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	parts, err := r.MultipartReader()
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	part, err := parts.NextPart()
	if err != nil {
		refuse(w, http.StatusBadRequest, "no file in the request")
		return
	}
	block, err := io.ReadAll(io.LimitReader(part, maxBlock+1))
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if len(block) > maxBlock {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("this node stores content of at most %d bytes", maxBlock))
		return
	}
	hash, err := multihash.Sum(block, multihash.SHA2_256, -1)
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	name := cid.NewCidV1(cid.Raw, hash)
	n.blocks.Store(name, block)
	answer(w, http.StatusOK, map[string]string{
		"Name": part.FileName(), "Hash": name.String(), "Size": strconv.Itoa(len(block)),
	})
}

// unpin implements the Kubo RPC call "pin/rm". An unpinned block is deleted immediately; Kubo
// deletes the block at the next garbage collection.
func (n *Node) unpin(w http.ResponseWriter, r *http.Request) {
	name, err := cid.Decode(r.URL.Query().Get("arg"))
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if _, found := n.blocks.LoadAndDelete(name); !found {
		refuse(w, http.StatusInternalServerError, "not pinned or pinned indirectly")
		return
	}
	answer(w, http.StatusOK, map[string][]string{"Pins": {name.String()}})
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]any{"Message": message, "Code": 0, "Type": "error"})
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the caller has gone if this fails
}
