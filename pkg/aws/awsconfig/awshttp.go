// Package awsconfig configures the AWS clients of functions, with an HTTP client that prevents
// needless retries.
package awsconfig

import (
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Client prevents a retry after a fast response. The SDK closes a request's body after the headers
// of the response have arrived. If net/http's writer is late and reads the rest of the closed body,
// WriteTo of the SDK's body (smithy-go 1.28, transport/http/internal/io/safe.go) returns the error
// io.EOF where Read would succeed. net/http then closes the connection during the response, and the
// SDK sends the call again. Client hides every method of the body except Read and Close.
type Client struct {
	Next aws.HTTPClient
}

func (c Client) Do(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Body != http.NoBody {
		r = r.WithContext(r.Context()) // a copy: the caller owns the request
		r.Body = struct{ io.ReadCloser }{r.Body}
	}
	return c.Next.Do(r)
}
