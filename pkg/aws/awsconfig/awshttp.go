// Package awsconfig is what all AWS clients send through, so that no call is sent
// twice without need.
package awsconfig

import (
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

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
