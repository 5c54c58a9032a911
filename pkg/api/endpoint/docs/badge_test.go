package docs_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/token"
)

// counted are the figures of tokens by mint; runs of 13 cannot be read.
type counted map[string]figures.Token

func (c counted) OfTokens(_ context.Context, mints ...solana.PublicKey) (map[solana.PublicKey]figures.Public, error) {
	all := map[solana.PublicKey]figures.Public{}
	for _, mint := range mints {
		of := c[mint.String()]
		if of.Runs == 13 {
			return nil, errors.New("the table does not answer")
		}
		all[mint] = figures.Public{Token: of}
	}
	return all, nil
}

func TestBadges(t *testing.T) {
	figure := counted{}
	h := start(t, func(c *docs.Config) {
		withTokens(c)
		c.Tokens.(tokens)[shownMint] = shownToken(func(r *token.Record) { r.Name = `</title><script>"` })
		c.Figures = figure
	})
	path := "/t/" + shownMint + "/badge.svg"
	for runs, want := range map[uint64]string{
		0:  "pays its holders: no distributions yet",
		42: "pays its holders: 42 distributions, last proven 2026-11-22 23:05 UTC",
	} {
		figure[shownMint] = figures.Token{Runs: runs, LastAt: time.Date(2026, 11, 22, 23, 5, 1, 0, time.UTC)}
		w := get(t, h, path)
		if err := docstest.Check("getTokenBadge", w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want+"</title>") || strings.Contains(w.Body.String(), "<script") {
			t.Errorf("%d %s, want %s", w.Code, w.Body, want)
		}
		for name, value := range map[string]string{
			"Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=300", "Content-Security-Policy": "default-src 'none'; sandbox",
		} {
			if w.Header().Get(name) != value {
				t.Errorf("%s: %s, want %s", name, w.Header().Get(name), value)
			}
		}
		if again := get(t, h, path, "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("again: %d", again.Code)
		}
	}
	figure[shownMint] = figures.Token{Runs: 13}
	for path, status := range map[string]int{
		path: 500, "/t/" + hiddenMint + "/badge.svg": 404, "/t/" + failedMint + "/badge.svg": 404, "/t/" + otherMint + "/badge.svg": 404,
		"/t/nonsense/badge.svg": 404, "/t/" + brokenMint + "/badge.svg": 500,
	} {
		w := get(t, h, path)
		if w.Code != status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("GET %s = %d %v, want %d problem+json", path, w.Code, w.Header(), status)
		}
		if err := docstest.Check("getTokenBadge", w.Code, w.Header(), w.Body.Bytes()); err != nil {
			t.Error(err)
		}
	}
}
