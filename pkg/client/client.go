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
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 16 << 20
	// attemptTimeout bounds one attempt. The service gives up before it does.
	attemptTimeout = 35 * time.Second
	// defaultMaxWait is the longest wait between two attempts, and defaultAttempts how
	// many there are.
	defaultMaxWait  = 30 * time.Second
	defaultAttempts = 5
)

// Client calls the API at one address as one caller. Make it with New.
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

// Option sets something of a client.
type Option func(*Client)

// WithSigner signs in with a wallet, when an operation needs a token, and signs
// transactions.
func WithSigner(s Signer) Option { return func(c *Client) { c.signer = s } }

// WithSession begins with a token that was got before.
func WithSession(s Session) Option { return func(c *Client) { c.session.held = s } }

// WithHTTPClient sends requests by another client than one of the standard transport,
// which reads at most 16 MiB and follows no redirect.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithDomain says as whom sign-in messages must name the service, where that is not
// the host of the address.
func WithDomain(domain string) Option { return func(c *Client) { c.domain = domain } }

// WithUserAgent says who calls, by default tokenlaunch-go and the version of this module.
func WithUserAgent(agent string) Option { return func(c *Client) { c.agent = agent } }

// WithAttempts sets how often a call is tried in all, 5 by default.
func WithAttempts(n int) Option { return func(c *Client) { c.attempts = max(n, 1) } }

// WithMaxWait sets how long a call may wait between two attempts, 30 s by default.
func WithMaxWait(d time.Duration) Option { return func(c *Client) { c.maxWait = d } }

// Retry is an attempt that failed and is followed by another one.
type Retry struct {
	// Call is the request, as in "POST /tokens/submit".
	Call string
	// Err is why it failed, and Wait how long it is until the next one.
	Err  error
	Wait time.Duration
}

// WithRetryNotice tells f of each wait before it begins.
func WithRetryNotice(f func(Retry)) Option { return func(c *Client) { c.retrying = f } }

// New makes a client of the API at an address, such as https://api.example.com. It does
// not connect.
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

// plainHTTP makes a client that reads at most so many bytes and follows no redirect.
func plainHTTP(most int64, within time.Duration) *http.Client {
	return &http.Client{
		Transport:     httpclient.Capped(http.DefaultTransport, most),
		Timeout:       within,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Signer is the client's signer; nil when it has none.
func (c *Client) Signer() Signer { return c.signer }
