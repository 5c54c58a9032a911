package ipfsnode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ipfs/boxo/chunker"
	"github.com/ipfs/boxo/ipld/merkledag"
	"github.com/ipfs/boxo/ipld/unixfs/importer/balanced"
	"github.com/ipfs/boxo/ipld/unixfs/importer/helpers"
	"github.com/ipfs/go-cid"
	ipld "github.com/ipfs/go-ipld-format"
)

// fixed are the settings of "add" that this node has. A request may repeat them
// but not ask for others, so that a CID is never another than was asked for.
var fixed = url.Values{
	"chunker":             {"size-262144"},
	"cid-version":         {"1"},
	"hash":                {"sha2-256"},
	"pin":                 {"true"},
	"raw-leaves":          {"true"},
	"wrap-with-directory": {"false"},
}

// maxUpload bounds a request, in bytes.
const maxUpload = 64 << 20

// chunkBytes is the chunk size that fixed names.
const chunkBytes = 262_144

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

// add is the Kubo RPC call of that name for one file. Everything that is added
// stays until the node ends, so it counts as pinned.
func add(dag ipld.DAGService) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := checkSettings(r.URL.Query()); err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
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
		root, size, err := store(r.Context(), dag, part)
		if err != nil {
			refuse(w, statusOf(err), err.Error())
			return
		}
		answer(w, http.StatusOK, map[string]string{
			"Name": part.FileName(), "Hash": root.String(), "Size": strconv.FormatUint(size, 10),
		})
	}
}

// store adds the content and gives its name and the size of all its blocks.
func store(ctx context.Context, dag ipld.DAGService, content io.Reader) (cid.Cid, uint64, error) {
	prefix, err := merkledag.PrefixForCidVersion(1)
	if err != nil {
		return cid.Undef, 0, fmt.Errorf("choose the CID's form: %w", err)
	}
	params := helpers.DagBuilderParams{
		Maxlinks:   helpers.DefaultLinksPerBlock,
		RawLeaves:  true,
		CidBuilder: prefix,
		Dagserv:    dag,
	}
	builder, err := params.New(chunk.NewSizeSplitter(content, chunkBytes))
	if err != nil {
		return cid.Undef, 0, fmt.Errorf("build the file: %w", err)
	}
	root, err := balanced.Layout(builder)
	if err != nil {
		return cid.Undef, 0, fmt.Errorf("build the file: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return cid.Undef, 0, fmt.Errorf("add the file: %w", err)
	}
	size, err := root.Size()
	if err != nil {
		return cid.Undef, 0, fmt.Errorf("measure the file: %w", err)
	}
	return root.Cid(), size, nil
}

func statusOf(err error) int {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusInternalServerError
}

func version(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"Version": "0.39.0", "System": "boxo"})
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]any{"Message": message, "Code": 0, "Type": "error"})
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the caller has gone if this fails
}
