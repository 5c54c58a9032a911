package docs_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/route"
)

// styleHash returns the hash of the page's one style, as a policy writes it.
func styleHash(t *testing.T, html string) string {
	t.Helper()
	styles := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(html, -1)
	if len(styles) != 1 {
		t.Fatalf("%d styles", len(styles))
	}
	sum := sha256.Sum256([]byte(styles[0][1]))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func TestPageShowsEverything(t *testing.T) {
	html := get(t, start(t, nil), "/docs").Body.String()
	for _, r := range route.All() {
		if !strings.Contains(html, `<article id="`+r.Operation+`">`) {
			t.Errorf("%s is not on the page", r.Operation)
		}
		if r.Rule.Counted() != strings.Contains(html, "<code>"+r.Rule.Name+"</code>") {
			t.Errorf("bucket %s is on the page: %v", r.Rule.Name, !r.Rule.Counted())
		}
	}
	tables := rows(t)
	for _, row := range tables.Codes {
		if !strings.Contains(html, `<article id="`+row.Code+`">`) { // where a problem's type leads
			t.Errorf("%s is not on the page", row.Code)
		}
	}
	for _, row := range tables.Fields {
		if !strings.Contains(html, "<code>"+row.Code+"</code>") {
			t.Errorf("%s is not on the page", row.Code)
		}
	}
}

func TestLinksOfThePageLeadSomewhere(t *testing.T) {
	h := start(t, nil)
	html := get(t, h, "/docs").Body.String()
	ids := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if ids[id[1]] {
			t.Errorf("the id %s is there twice", id[1])
		}
		ids[id[1]] = true
	}
	links := regexp.MustCompile(` href="([^"]*)"`).FindAllStringSubmatch(html, -1)
	if len(links) < 50 {
		t.Fatalf("only %d links", len(links))
	}
	for _, link := range links {
		switch anchor, inside := strings.CutPrefix(link[1], "#"); {
		case inside && !ids[anchor]:
			t.Errorf("%s leads nowhere", link[1])
		case strings.HasPrefix(link[1], "/") && get(t, h, link[1]).Code != http.StatusOK:
			t.Errorf("%s does not respond", link[1])
		case strings.Contains(link[1], "://"):
			t.Errorf("%s leads away", link[1])
		}
	}
}
