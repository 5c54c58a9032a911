package ipfsnode

import (
	"net/http"

	"github.com/ipfs/go-cid"
	ipld "github.com/ipfs/go-ipld-format"
)

// unpin is the Kubo RPC call "pin/rm" for one block. What is not pinned goes at once, as
// in Kubo when its garbage is next collected.
func unpin(dag ipld.DAGService) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name, err := cid.Decode(r.URL.Query().Get("arg"))
		if err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		if _, err := dag.Get(r.Context(), name); ipld.IsNotFound(err) {
			refuse(w, http.StatusInternalServerError, "not pinned or pinned indirectly")
			return
		}
		if err := dag.Remove(r.Context(), name); err != nil {
			refuse(w, http.StatusInternalServerError, err.Error())
			return
		}
		answer(w, http.StatusOK, map[string][]string{"Pins": {name.String()}})
	}
}
