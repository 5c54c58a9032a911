// Package awshttp is what all AWS clients send through, so that no call is sent
// twice without need.
package awshttp

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdkhttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
)

// Bounds on one attempt of a call, well above what AWS needs (milliseconds) and
// low enough that two attempts fit into a request.
const (
	dialTimeout   = 2 * time.Second
	headerTimeout = 8 * time.Second
)

// Config reads a function's AWS configuration from its environment. Clients made
// from it send through Client, with our bounds on one attempt. It connects to
// nothing, so that it costs a cold start no round trip.
func Config(ctx context.Context) (aws.Config, error) {
	bounded := sdkhttp.NewBuildableClient().
		WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout }).
		WithTransportOptions(func(t *http.Transport) { t.ResponseHeaderTimeout = headerTimeout })
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(bounded))
	if err != nil {
		return aws.Config{}, fmt.Errorf("read the AWS configuration: %w", err)
	}
	// Only now: the SDK adds a bundle of certificates to its own client alone.
	cfg.HTTPClient = Client{Next: cfg.HTTPClient}
	return cfg, nil
}

// Client keeps a server that answers fast from looking like one that broke off.
// The SDK closes a request's body once it has the headers of the answer. When
// net/http's writer is a moment late and asks the closed body for its rest, the
// SDK's body (smithy-go 1.28, transport/http/internal/io/safe.go) answers the
// WriteTo with the error io.EOF, where Read would end well; net/http then closes
// the connection under the answer, and the SDK sends the call again. Client
// leaves the body nothing but Read.
type Client struct {
	Next aws.HTTPClient
}

// Do sends one request.
func (c Client) Do(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Body != http.NoBody {
		r = r.WithContext(r.Context()) // a copy: the request is the caller's
		r.Body = struct{ io.ReadCloser }{r.Body}
	}
	return c.Next.Do(r)
}
