package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/client/internal/build"
	"tokenlaunch.example/service/pkg/platform/httpclient"
)

const (
	// maxAnswer is the maximum size of a response, in bytes.
	maxAnswer = 16 << 20
	// attemptTimeout is the maximum duration of one attempt. The service's own timeout is shorter.
	attemptTimeout = 35 * time.Second
	// defaultMaxWait is the maximum wait between two attempts, and defaultAttempts the maximum
	// number of attempts.
	defaultMaxWait  = 30 * time.Second
	defaultAttempts = 5
)

// Client calls the API at one address for one caller. New returns a Client.
type Client struct {
	base     *url.URL
	http     *http.Client
	signer   Signer
	session  session
	domain   string
	agent    string
	attempts int
	maxWait  time.Duration
	retrying func(Retry)
}

// Option configures a Client.
type Option func(*Client)

// WithSigner sets the wallet that signs in, if an operation needs an access token, and that signs
// transactions.
func WithSigner(s Signer) Option { return func(c *Client) { c.signer = s } }

// WithSession sets an access token from an earlier session.
func WithSession(s Session) Option { return func(c *Client) { c.session.held = s } }

// WithHTTPClient replaces the default HTTP client, which has the standard transport, reads at most
// 16 MiB and follows no redirect.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithDomain sets the domain that sign-in messages must name. The default is the host of the API's
// address.
func WithDomain(domain string) Option { return func(c *Client) { c.domain = domain } }

// WithUserAgent sets the User-Agent header. The default is tokenlaunch-go with the version of this
// module.
func WithUserAgent(agent string) Option { return func(c *Client) { c.agent = agent } }

// WithAttempts sets the maximum number of attempts of a call. The default is 5.
func WithAttempts(n int) Option { return func(c *Client) { c.attempts = max(n, 1) } }

// WithMaxWait sets the maximum wait between two attempts of a call. The default is 30 s.
func WithMaxWait(d time.Duration) Option { return func(c *Client) { c.maxWait = d } }

// Retry describes a failed attempt before the next attempt.
type Retry struct {
	// Call is the request, as in "POST /tokens/submit".
	Call string
	// Err is the error of the failed attempt, and Wait the time until the next attempt.
	Err  error
	Wait time.Duration
}

// WithRetryNotice calls f before each wait between two attempts.
func WithRetryNotice(f func(Retry)) Option { return func(c *Client) { c.retrying = f } }

// New returns a Client of the API at an address, such as https://api.example.com. New does not
// connect.
func New(baseURL string, options ...Option) (*Client, error) {
	base, ok := webAddress(strings.TrimRight(baseURL, "/"))
	if !ok {
		return nil, fmt.Errorf("%q is not the http or https address of an API", baseURL)
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("the address of the API has more than a host and a path")
	}
	c := &Client{
		base: base, domain: base.Host, agent: "tokenlaunch-go/" + build.Read().Version, attempts: defaultAttempts, maxWait: defaultMaxWait,
		http: plainHTTP(maxAnswer, attemptTimeout), session: session{turn: make(chan struct{}, 1)},
	}
	for _, option := range options {
		option(c)
	}
	return c, nil
}

// webAddress parses an http or https address.
func webAddress(address string) (*url.URL, bool) {
	u, err := url.Parse(address)
	return u, err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// plainHTTP returns an HTTP client that reads at most the given number of bytes and follows no
// redirect.
func plainHTTP(maximum int64, within time.Duration) *http.Client {
	return &http.Client{
		Transport:     httpclient.Capped(http.DefaultTransport, maximum),
		Timeout:       within,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Signer returns the client's signer, or nil if the client has no signer.
func (c *Client) Signer() Signer { return c.signer }
