package httpclient

import (
	"net"
	"net/http"
	"time"
)

// NewResolving is New with names resolved by the resolver.
func NewResolving(l Limits, names *net.Resolver) *http.Client {
	client := New(l)
	client.Transport = Capped(transport(&net.Dialer{Timeout: time.Second, Resolver: names}, l.Public), l.Answer)
	return client
}
