// Package docs serves the OpenAPI document as JSON and as a page, the health and the status of the
// service, the public keys of access tokens, and the site for browsers. No route needs an access
// token. Only the keys, the status and the pages of tokens need data from outside the process.
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
	"tokenlaunch.example/service/pkg/api/apigw/action"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/web/page"
)

//go:generate go run ./openapi/generate

// cacheFor is the caching of the document and the keys. A new key must be published for this time
// before the key signs.
const cacheFor = "public, max-age=300"

// Config is the configuration of the deployment. PublicURL is the address of the API. If PublicURL
// is empty, the document names itself as the server.
type Config struct {
	PublicURL string
	Stage     string
	Network   string
	// Version is the version of the deployed release. If Version is empty, GET /health returns the
	// document's version.
	Version string
	// ReportURL is the address for reports of a token, a picture or a name, with https: or mailto:;
	// empty without such an address.
	ReportURL string
	Keys      jwt.KeySource
	Status    StatusStore
	Now       func() time.Time
	// Site is the site for browsers.
	Site   *page.Site
	Tokens token.Reader
	// FilesURL is the address of the pictures of tokens, without a trailing slash.
	FilesURL string
	Figures  Figures
	Pictures PictureStore
	Log      *slog.Logger
}

// Handlers returns the handlers of function docs. It returns an error if PublicURL is not an http
// or https address, or if the site or the document is missing.
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
		"getOpenAPI":     serve(document),
		"getActionRules": serve(actionRules),
		"getDocs":        serve(readable),
		"getHealth":      c.health,
		"getStatus":      c.status,
		"getJWKS":        c.jwks,

		"getHomePage":    serve(site.fixed(page.Home)),
		"getLaunchPage":  serve(site.fixed(page.Launch)),
		"getCreatorPage": serve(site.fixed(page.Mine)),
		"getRewardsPage": serve(site.fixed(page.Rewards)),
		"getAboutPage":   serve(site.fixed(page.About)),
		"getWalletPage":  serve(site.fixed(page.Creator)),
		"getTokenPage":   site.token,
		"getTokenCard":   site.card,
		"getTokenBadge":  site.badge,
		"getAsset":       site.asset,
	}, nil
}

// health is the response to GET /health.
type health struct {
	Status  string `json:"status"`
	Stage   string `json:"stage"`
	Network string `json:"network"`
	Version string `json:"version"`
	Time    string `json:"time"`
}

// health responds without calls to other services, so that a fault of another service does not make
// a monitor restart this service.
func (c Config) health(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	return apigw.WriteJSON(w, http.StatusOK, health{
		Status: "ok", Stage: c.Stage, Network: c.Network, Version: cmp.Or(c.Version, Version()),
		Time: apigw.Timestamp(c.Now()),
	})
}

func actionRules() (file, error) {
	return newFile("application/json", cacheFor, nil, []byte(action.Rules)), nil
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
