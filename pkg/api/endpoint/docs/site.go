package docs

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/web/badge"
	"tokenlaunch.example/service/pkg/web/card"
	"tokenlaunch.example/service/pkg/web/page"
)

// The caching of the site's parts. A file whose name contains the content's hash never becomes
// stale. The HTML names such files, so a browser must request the HTML again.
const (
	assetFor = "public, max-age=31536000, immutable"
	iconFor  = "public, max-age=3600"
	shellFor = "no-cache"
	// A browser requests the page each time, so that a reload shows changes. The edge requests the
	// page once a minute.
	recordFor = "public, max-age=0, s-maxage=60"
	bareFor   = "public, max-age=60"
	cardFor   = "public, max-age=3600"
	badgeFor  = "public, max-age=300"
)

// readFor is the maximum duration of reading a token's record or picture, because a browser waits.
const readFor = 5 * time.Second

// PictureStore reads the pictures of tokens by their keys.
type PictureStore interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

// Figures reads the figures of a token.
type Figures interface {
	OfTokens(ctx context.Context, mints ...solana.PublicKey) (map[solana.PublicKey]figures.Public, error)
}

// site serves the site for browsers.
type site struct {
	Config

	assets map[string]file
}

func newAssets(s *page.Site) map[string]file {
	files := map[string]file{}
	for name, a := range s.Assets() {
		cache := iconFor
		if a.Immutable {
			cache = assetFor
		}
		files[name] = newFile(a.ContentType, cache, nil, a.Content)
	}
	return files
}

func (s site) asset(w http.ResponseWriter, r *http.Request) error {
	if r.PathValue("file") == page.HomeCard {
		return serve(homeCard)(w, r)
	}
	f, ok := s.assets[r.PathValue("file")]
	if !ok {
		return apperr.New(apperr.CodeNotFound, "The page has no such file. Load the page again: it may be of an older version.")
	}
	return f.serve(w, r, http.StatusOK)
}

// homeCard draws the preview picture of the home page once.
var homeCard = sync.OnceValues(func() (file, error) {
	drawn, err := card.Site(page.Home.Title, page.Home.Description)
	if err != nil {
		return file{}, err
	}
	f := newFile("image/png", cardFor, nil, drawn)
	f.zipped = nil // a PNG is compressed
	return f, nil
})

// fixed returns a page without a token. The page is rendered only once.
func (s site) fixed(v page.View) func() (file, error) {
	return sync.OnceValues(func() (file, error) { return s.shell(v, shellFor) })
}

func (s site) shell(v page.View, cache string) (file, error) {
	html, err := s.Site.Shell(v)
	if err != nil {
		return file{}, err
	}
	return newFile("text/html; charset=utf-8", cache, map[string]string{
		"Content-Security-Policy": s.Site.Policy(),
		"Referrer-Policy":         "strict-origin-when-cross-origin",
		"Permissions-Policy":      "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
		// Wallets open windows and send messages to the windows.
		"Cross-Origin-Opener-Policy": "same-origin-allow-popups",
	}, html), nil
}

// token serves the page of a token. If the token cannot be shown, the page reports this.
func (s site) token(w http.ResponseWriter, r *http.Request) error {
	record, err := s.find(r)
	view, status, cache := page.View{}, http.StatusOK, recordFor
	switch {
	case err == nil:
		record = record.InForce(s.Now())
		view = page.Token(record)
		written := contract.NewToken(record, s.FilesURL)
		if of, err := s.figures(r.Context(), record.Mint); err == nil {
			written.WithFigures(record.Mint, of, s.Now())
		} else {
			s.Log.WarnContext(r.Context(), "a page is written without the figures", "cause", err.Error())
			cache = shellFor
		}
		view.Record = written
		if record.Status != token.Confirmed { // an unconfirmed status changes within seconds
			cache = shellFor
		}
	case apperr.KindOf(err) == apperr.NotFound:
		view, status, cache = page.NoToken, http.StatusNotFound, shellFor
	default:
		w.Header().Set("Retry-After", "5")
		view, status, cache = page.LaterToken, http.StatusServiceUnavailable, "no-store"
	}
	f, err := s.shell(view, cache)
	if err != nil {
		return err
	}
	return f.serve(w, r, status)
}

// card serves the picture of a token, which is drawn only if the caller does not have the picture.
func (s site) card(w http.ResponseWriter, r *http.Request) error {
	record, err := s.find(r)
	if err != nil {
		return err
	}
	drawing, cache := card.New(record), cardFor
	if of, err := s.figures(r.Context(), record.Mint); err == nil {
		drawing = drawing.WithPaid(of[record.Mint].Runs, of[record.Mint].Lamports)
	} else {
		s.Log.WarnContext(r.Context(), "a card is drawn without the payments", "cause", err.Error())
		cache = bareFor
	}
	tag, err := drawing.Tag(record.ImageCID)
	if err != nil {
		return err
	}
	f := file{contentType: "image/png", cache: cache, tag: tag}
	if f.isKnown(w, r) {
		return nil
	}
	picture, err := s.picture(r.Context(), record)
	if err != nil {
		s.Log.WarnContext(r.Context(), "a card is drawn without its picture", "cause", err.Error())
		f.cache, f.tag = bareFor, tag+"-bare"
	}
	if f.body, err = drawing.PNG(picture); err != nil {
		return err
	}
	return f.serve(w, r, http.StatusOK)
}

// badge serves a picture with a line about a token, for other sites. In a window of its own, the
// picture runs no script, whatever the token's name.
func (s site) badge(w http.ResponseWriter, r *http.Request) error {
	record, err := s.find(r)
	if err != nil {
		return err
	}
	of, err := s.figures(r.Context(), record.Mint)
	if err != nil {
		return err
	}
	counted := of[record.Mint]
	drawn, err := badge.Badge{Name: record.Name, Runs: counted.Runs, Last: counted.LastAt}.SVG()
	if err != nil {
		return err
	}
	policy := map[string]string{"Content-Security-Policy": "default-src 'none'; sandbox"}
	return newFile("image/svg+xml", badgeFor, policy, drawn).serve(w, r, http.StatusOK)
}

// figures returns the figures of a token; an empty map before the first run.
func (s site) figures(ctx context.Context, mint solana.PublicKey) (map[solana.PublicKey]figures.Public, error) {
	ctx, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	return s.Figures.OfTokens(ctx, mint)
}

func (s site) picture(ctx context.Context, record token.Record) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	return s.Pictures.Get(ctx, content.Image.Key(record.ImageCID))
}

// find returns the token in the path. A token that is hidden or whose launch failed counts as
// missing.
func (s site) find(r *http.Request) (token.Record, error) {
	ctx, cancel := context.WithTimeout(r.Context(), readFor)
	defer cancel()
	record, err := token.FindMint(ctx, s.Tokens, r.PathValue("mintAddress"))
	if err != nil {
		return token.Record{}, err
	}
	if !record.Visible || record.Status == token.Failed {
		return token.Record{}, token.NotFound()
	}
	return record, nil
}
