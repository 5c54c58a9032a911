// Package ipfsnode is an IPFS node for the local stack. The node stores blocks in memory, connects
// to no other node, and serves the calls that the service makes: "add" and "pin/rm" of the Kubo
// RPC, and an HTTP gateway. The service pins only content of one block, so the CID of a content is
// the hash of the content, as in Kubo.
package ipfsnode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/ipfs/go-cid"
)

// Node is a running node on two loopback ports.
type Node struct {
	APIURL     string // Kubo RPC, http://127.0.0.1:<port>
	GatewayURL string // serves /ipfs/<cid>, http://127.0.0.1:<port>

	servers []*http.Server
	blocks  sync.Map // cid.Cid to []byte
}

// Start runs an empty node. The node ends with Stop or with this process.
func Start(ctx context.Context) (*Node, error) {
	n := &Node{}
	var err error
	if n.APIURL, err = n.serve(ctx, n.rpc()); err != nil {
		return nil, err
	}
	if n.GatewayURL, err = n.serve(ctx, n.gateway()); err != nil {
		n.Stop()
		return nil, err
	}
	return n, nil
}

func (n *Node) rpc() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v0/add", n.add)
	mux.HandleFunc("POST /api/v0/pin/rm", n.unpin)
	mux.HandleFunc("POST /api/v0/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, fmt.Sprintf("this node does not know %s", r.URL.Path))
	})
	return mux
}

func (n *Node) gateway() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ipfs/{cid}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		name, err := cid.Decode(r.PathValue("cid"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		block, found := n.blocks.Load(name)
		if !found {
			http.Error(w, "this node does not have "+name.String(), http.StatusNotFound)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=29030400, immutable")
		w.Header().Set("Etag", `"`+name.String()+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(block.([]byte)))
	})
	return mux
}

func (n *Node) serve(ctx context.Context, handler http.Handler) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen for the IPFS node: %w", err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	n.servers = append(n.servers, server)
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			panic(fmt.Errorf("serve IPFS: %w", err)) // our own listener does not fail
		}
	}()
	return "http://" + listener.Addr().String(), nil
}

// Stop closes the ports. The added content is lost.
func (n *Node) Stop() {
	for _, s := range n.servers {
		_ = s.Close()
	}
}
