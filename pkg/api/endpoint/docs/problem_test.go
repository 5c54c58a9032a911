package docs_test

import (
	"encoding/json"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/testkit/ratelimittest"
)

// codeOf returns the code with a word.
func codeOf(t *testing.T, word string) apperr.Code {
	t.Helper()
	for _, code := range apperr.Codes() {
		if code.String() == word {
			return code
		}
	}
	t.Fatalf("no error has the code %s", word)
	return apperr.Code{}
}

// TestProblemTypeLinksToCode returns each code from a handler, and follows the type of the problem
// to the section of the page about that code.
func TestProblemTypeLinksToCode(t *testing.T) {
	var failure error
	handlers := map[string]apigw.HandlerFunc{}
	for _, r := range route.OfFunction(route.FunctionDocs) {
		handlers[r.Operation] = func(http.ResponseWriter, *http.Request) error { return failure }
	}
	api := apigw.API{Limiter: &ratelimittest.Memory{}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	failing, err := api.Handler(route.FunctionDocs, handlers)
	if err != nil {
		t.Fatal(err)
	}
	service := start(t, nil)
	sections := sectionsOf(get(t, service, "/docs").Body.String())
	answering := operationsByCode(t)
	for _, row := range rows(t).Codes {
		failure = apperr.New(codeOf(t, row.Code), "It fails.")
		var problem apigw.Problem
		if err := json.Unmarshal(get(t, failing, "/assets/x").Body.Bytes(), &problem); err != nil {
			t.Fatal(err)
		}
		kind, err := url.Parse(problem.Type)
		if err != nil {
			t.Fatal(err)
		}
		if problem.Code != row.Code || problem.Status != row.Status || kind.IsAbs() {
			t.Errorf("%s = %+v", row.Code, problem)
		}
		if page := get(t, service, kind.Path); page.Code != http.StatusOK || page.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s leads to %d %s", problem.Type, page.Code, page.Header().Get("Content-Type"))
		}
		section := sections[kind.Fragment]
		text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(section, ""))
		for what, want := range map[string]string{
			"its code": row.Code, "what happened": plainText(row.Meaning), "what to do": plainText(row.Remedy), "an example": `"type": "/docs#` + row.Code + `"`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page does not say %s: %q is not in %q", problem.Type, what, want, text)
			}
		}
		for _, operation := range answering[row.Code] {
			if !strings.Contains(section, `href="#`+operation+`"`) {
				t.Errorf("%s: the page does not name %s, which returns it", problem.Type, operation)
			}
		}
	}
}

// sectionsOf returns the articles of the page by their ids.
func sectionsOf(page string) map[string]string {
	sections := map[string]string{}
	for _, match := range regexp.MustCompile(`(?s)<article id="([^"]*)">(.*?)</article>`).FindAllStringSubmatch(page, -1) {
		sections[match[1]] = match[2]
	}
	return sections
}

// operationsByCode reads out of the document which operations answer a code.
func operationsByCode(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for id, op := range operations(load(t)) {
		for _, response := range op.Responses.Map() {
			for _, code := range codesOf(response.Value) {
				out[code] = append(out[code], id)
			}
		}
	}
	return out
}

func plainText(markdown string) string { return strings.ReplaceAll(markdown, "`", "") }
