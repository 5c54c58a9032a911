package dex

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// probeTimeout bounds the check of a node.
const probeTimeout = 10 * time.Second

var probes sync.Map // node → result of unreachable

// unreachable returns the reason why a node cannot be forked, in words that follow "the node", or
// "" for a usable node. Each node is checked once in a process. The reason does not contain the
// node's address, which may contain a key.
func unreachable(node string) string {
	if said, ok := probes.Load(node); ok {
		return said.(string) //nolint:forcetypeassert // only strings are stored
	}
	why := probe(node)
	probes.Store(node, why)
	return why
}

func probe(node string) string {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, node, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getHealth"}`)) //nolint:gosec // G704: the node that who runs the tests names
	if err != nil {
		return "has no valid address"
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request) //nolint:gosec // G704: as above
	if err != nil {
		return "does not answer: is there a network?"
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Sprintf("responds with status %d", response.StatusCode)
	}
	return ""
}
