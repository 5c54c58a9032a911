package apigw

import (
	"context"
	"net/http"
	"net/url"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// Start serves the gateway's requests with h. It does not return.
func Start(h http.Handler) { lambda.Start(Proxy(h)) }

// Proxy returns a Lambda handler that serves the gateway's events (payload format 2.0) with h.
func Proxy(h http.Handler) func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
	adapter := httpadapter.NewV2(h)
	return func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		event.RawPath = escapedPath(event)
		event.RawQueryString = escapedQuery(event.RawQueryString)
		return adapter.ProxyWithContext(ctx, event)
	}
}

// escapedPath returns the event's path with URL escapes. The gateway decodes every escape except
// %25. Without escapes, the adapter would read another path, or no path, if the path contains a
// question mark, a space or a percent sign.
func escapedPath(event events.APIGatewayV2HTTPRequest) string {
	raw := event.RawPath
	if raw == "" {
		raw = event.RequestContext.HTTP.Path
	}
	if plain, err := url.PathUnescape(raw); err == nil {
		raw = plain
	}
	return (&url.URL{Path: raw}).EscapedPath()
}

// escapedQuery escapes the bytes that are not allowed in the query of a URL.
func escapedQuery(raw string) string {
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(raw))
	for _, c := range []byte(raw) {
		if c <= ' ' || c == '#' || c >= 0x7f {
			out = append(out, '%', hex[c>>4], hex[c&15])
			continue
		}
		out = append(out, c)
	}
	return string(out)
}
