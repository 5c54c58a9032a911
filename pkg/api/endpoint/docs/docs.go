// Package docs answers what the service says about itself: the OpenAPI document,
// the same as a page to read, its health and status, and the keys that check its tokens;
// and it serves the page for browsers. None of it needs a token, and only the keys, the
// status and the pages of tokens need anything but this process.
package docs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/web/page"
)

//go:generate go run ./openapi/generate

// cacheFor is how long a caller may keep what is served here, in
// seconds. A new key must be known that long before it signs.
const cacheFor = "public, max-age=300"

// Config is what the answers say about the deployment. PublicURL is where the
// API is reached; empty, the document names itself.
type Config struct {
	PublicURL string
	Stage     string
	Network   string
	// Version of the release that is deployed; empty: none is stamped, and GET /health answers
	// that of the document.
	Version string
	// ReportURL is where a token, a picture or a name is reported, by https: or mailto:;
	// empty: nowhere.
	ReportURL string
	Keys      jwt.KeySource
	Status    StatusStore
	Now       func() time.Time
	// Site is the page for browsers.
	Site   *page.Site
	Tokens token.Reader
	// FilesURL is where the pictures of tokens are, without a slash at the end.
	FilesURL string
	Figures  Figures
	Pictures PictureStore
	Log      *slog.Logger
}

// Handlers gives the handlers of the routes of function docs. It refuses a
// PublicURL that is not an http or https address, and to be without the page or the document.
func Handlers(c Config) (map[string]apigw.HandlerFunc, error) {
	if c.PublicURL != "" {
		u, err := url.Parse(c.PublicURL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, fmt.Errorf("public URL %q is not an http or https address", c.PublicURL)
		}
	}
	if c.Site == nil {
		return nil, errors.New("the page is missing")
	}
	if len(Document()) == 0 {
		return nil, errors.New("the OpenAPI document is not built: run make document")
	}
	document := sync.OnceValues(func() (file, error) { return c.document() })
	readable := sync.OnceValues(func() (file, error) { return c.page() })
	site := site{Config: c, assets: newAssets(c.Site)}
	return map[string]apigw.HandlerFunc{
		"getOpenAPI": serve(document),
		"getDocs":    serve(readable),
		"getHealth":  c.health,
		"getStatus":  c.status,
		"getJWKS":    c.jwks,

		"getHomePage":    serve(site.fixed(page.Home)),
		"getLaunchPage":  serve(site.fixed(page.Launch)),
		"getCreatorPage": serve(site.fixed(page.Mine)),
		"getRewardsPage": serve(site.fixed(page.Rewards)),
		"getTokenPage":   site.token,
		"getTokenCard":   site.card,
		"getTokenBadge":  site.badge,
		"getAsset":       site.asset,
	}, nil
}

// health is the answer of GET /health.
type health struct {
	Status  string `json:"status"`
	Stage   string `json:"stage"`
	Network string `json:"network"`
	Version string `json:"version"`
	Time    string `json:"time"`
}

// health answers that requests arrive. It asks nothing of others, so that their
// faults do not make a monitor restart what works.
func (c Config) health(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	return apigw.WriteJSON(w, http.StatusOK, health{
		Status: "ok", Stage: c.Stage, Network: c.Network, Version: cmp.Or(c.Version, Version()),
		Time: apigw.Timestamp(c.Now()),
	})
}

func (c Config) jwks(w http.ResponseWriter, r *http.Request) error {
	set, err := c.keySet(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", cacheFor)
	if _, err := w.Write(set); err != nil {
		return fmt.Errorf("write the key set: %w", err)
	}
	return nil
}

func (c Config) keySet(ctx context.Context) ([]byte, error) {
	keys, err := c.Keys.Keys(ctx)
	if err != nil {
		return nil, err
	}
	return jwt.JWKSet(keys)
}
