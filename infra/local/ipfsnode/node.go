// Package ipfsnode is an IPFS node for the local stack: it keeps blocks in
// memory, talks to no other node, and serves what the service uses of one, the calls
// "add" and "pin/rm" of the Kubo RPC and an HTTP gateway. It names content exactly as
// Kubo does, for it is made of the same library.
package ipfsnode

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/ipfs/boxo/blockservice"
	"github.com/ipfs/boxo/blockstore"
	"github.com/ipfs/boxo/exchange/offline"
	"github.com/ipfs/boxo/gateway"
	"github.com/ipfs/boxo/ipld/merkledag"
	"github.com/ipfs/go-datastore"
	dssync "github.com/ipfs/go-datastore/sync"
	ipld "github.com/ipfs/go-ipld-format"
	"github.com/prometheus/client_golang/prometheus"
)

// Node is a running node on two loopback ports.
type Node struct {
	APIURL     string // Kubo RPC, http://127.0.0.1:<port>
	GatewayURL string // serves /ipfs/<cid>, http://127.0.0.1:<port>

	servers []*http.Server
}

// Start runs a node with nothing in it. It ends with Stop or with this process.
func Start(ctx context.Context) (*Node, error) {
	store := blockstore.NewBlockstore(dssync.MutexWrap(datastore.NewMapDatastore()))
	blocks := blockservice.New(store, offline.Exchange(store))
	backend, err := gateway.NewBlocksBackend(blocks)
	if err != nil {
		return nil, fmt.Errorf("make the IPFS gateway: %w", err)
	}
	n := &Node{}
	if n.APIURL, err = n.serve(ctx, rpc(merkledag.NewDAGService(blocks))); err != nil {
		return nil, err
	}
	if n.GatewayURL, err = n.serve(ctx, web(backend)); err != nil {
		n.Stop()
		return nil, err
	}
	return n, nil
}

func rpc(dag ipld.DAGService) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v0/add", add(dag))
	mux.HandleFunc("POST /api/v0/pin/rm", unpin(dag))
	mux.HandleFunc("POST /api/v0/version", version)
	mux.HandleFunc("POST /api/v0/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, fmt.Sprintf("this node does not know %s", r.URL.Path))
	})
	return mux
}

func web(backend gateway.IPFSBackend) http.Handler {
	headers := gateway.NewHeaders(nil).ApplyCors()
	handler := gateway.NewHandler(gateway.Config{
		DeserializedResponses: true,
		NoDNSLink:             true,
		DisableHTMLErrors:     true,
		MetricsRegistry:       prometheus.NewRegistry(),
	}, backend)
	mux := http.NewServeMux()
	mux.Handle("/ipfs/", headers.Wrap(handler))
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
			panic(fmt.Errorf("serve IPFS: %w", err)) // a listener of our own does not fail
		}
	}()
	return "http://" + listener.Addr().String(), nil
}

// Stop closes the ports; what was added is gone.
func (n *Node) Stop() {
	for _, s := range n.servers {
		_ = s.Close()
	}
}
