package helius

import "net/http"

// WithTransport has the client's calls go through the transport.
func (c *Client) WithTransport(t http.RoundTripper) { c.http = &http.Client{Transport: t} }
