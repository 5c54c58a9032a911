package gateway

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/api/route"
)

// Edge simulates the CloudFront distribution in front of the API, with the caching of infra/stack's
// distribution. A request whose path matches no shared route is forwarded unchanged. A response is
// cached for the time in its Cache-Control, under a key of the path, the query parameters of its
// route, and the headers Accept, Authorization, Origin and Accept-Encoding.
type Edge struct {
	Next http.Handler
	Now  func() time.Time

	once  sync.Once
	paths []edgePath
	mu    sync.Mutex
	kept  map[string]keptResponse
}

// edgePath is a path pattern of the distribution, with the query parameters of its cache key.
type edgePath struct {
	pattern *regexp.Regexp
	query   []string
}

type keptResponse struct {
	*httptest.ResponseRecorder

	since, until time.Time
}

// HitHeader reports whether a response came from the cache, in CloudFront's words.
const HitHeader = "X-Cache"

// chosen matches an Accept header that infra/stack/viewer.js reduces to one type.
var chosen = regexp.MustCompile(`(?i)(?:^|,)\s*(text/(?:html|csv))\s*(?:,|;|$)`)

// ServeHTTP responds from the cache, or calls the next handler.
func (e *Edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.once.Do(e.start)
	r = r.Clone(r.Context())
	accept := "*/*"
	if found := chosen.FindStringSubmatch(r.Header.Get("Accept")); found != nil {
		accept = strings.ToLower(found[1])
	}
	r.Header.Set("Accept", accept)
	path, shared := e.match(r.URL.Path)
	if !shared || r.Method != http.MethodGet {
		e.Next.ServeHTTP(w, r)
		return
	}
	r.Header.Del("If-None-Match") // the cache always stores the whole response
	query := url.Values{}
	for _, name := range path.query {
		if values, given := r.URL.Query()[name]; given {
			query[name] = values
		}
	}
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		r.Header.Set("Accept-Encoding", "gzip")
	} else {
		r.Header.Del("Accept-Encoding")
	}
	key := r.URL.Path + "?" + query.Encode()
	for _, name := range []string{"Accept", "Authorization", "Origin", "Accept-Encoding"} {
		key += "\n" + r.Header.Get(name)
	}
	now := e.Now()
	e.mu.Lock()
	found, hit := e.kept[key]
	e.mu.Unlock()
	if hit && now.Before(found.until) {
		found.send(w, "Hit from cloudfront", now)
		return
	}
	fresh := keptResponse{httptest.NewRecorder(), now, now}
	e.Next.ServeHTTP(fresh, r)
	if fresh.Code == http.StatusOK {
		fresh.until = now.Add(lifetime(fresh.Header().Get("Cache-Control")))
	}
	e.mu.Lock()
	e.kept[key] = fresh
	e.mu.Unlock()
	fresh.send(w, "Miss from cloudfront", now)
}

func (e *Edge) start() {
	e.kept = map[string]keptResponse{}
	for _, r := range route.AtEdge() {
		query, _ := r.Shared()
		pattern := strings.ReplaceAll(regexp.QuoteMeta(r.EdgePath()), `\*`, ".*")
		e.paths = append(e.paths, edgePath{regexp.MustCompile("^" + pattern + "$"), query})
	}
}

func (e *Edge) match(path string) (edgePath, bool) {
	for _, p := range e.paths {
		if p.pattern.MatchString(path) {
			return p, true
		}
	}
	return edgePath{}, false
}

func (k keptResponse) send(w http.ResponseWriter, from string, now time.Time) {
	for name, values := range k.Header() {
		w.Header()[name] = values
	}
	w.Header().Set(HitHeader, from)
	w.Header().Set("Age", strconv.Itoa(int(now.Sub(k.since)/time.Second)))
	w.WriteHeader(k.Code)
	_, _ = bytes.NewReader(k.Body.Bytes()).WriteTo(w) // the caller has gone if this fails
}

// lifetime returns the time for which CloudFront caches a response, with a minimum and a default
// TTL of 0 (CloudFront Developer Guide, "Manage how long content stays in the cache").
func lifetime(cacheControl string) time.Duration {
	seconds := map[string]int{}
	for _, directive := range strings.Split(strings.ToLower(cacheControl), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		n, err := strconv.Atoi(value)
		if err != nil {
			n = 0
		}
		seconds[name] = n
	}
	for _, never := range []string{"no-store", "no-cache", "private"} {
		if _, found := seconds[never]; found {
			return 0
		}
	}
	if shared, found := seconds["s-maxage"]; found {
		return time.Duration(shared) * time.Second
	}
	return time.Duration(seconds["max-age"]) * time.Second
}
