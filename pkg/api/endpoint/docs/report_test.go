package docs_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/web/page"
)

// TestReportAddressIsShown checks the page, the readable document and the OpenAPI document. Without
// an address none of them links to one, and every other kind of address is rejected.
func TestReportAddressIsShown(t *testing.T) {
	for address, contact := range map[string]string{
		"":                          `{"name":"The operator of this service"}`,
		"mailto:abuse@api.example":  `{"email":"abuse@api.example","name":"Report a token, a picture or a name"}`,
		"https://api.example/r?a&b": `{"name":"Report a token, a picture or a name","url":"https://api.example/r?a\u0026b"}`,
	} {
		site, err := page.Open(os.DirFS("../../../web/page/testdata/dist"), page.Config{Network: "devnet", ReportURL: address})
		if err != nil {
			t.Fatal(err)
		}
		handlers, err := docs.Handlers(docs.Config{Site: site, PublicURL: "https://launch.example", ReportURL: address})
		if err != nil {
			t.Fatal(err)
		}
		get := func(operation string) string {
			t.Helper()
			recorder := httptest.NewRecorder()
			if err := handlers[operation](recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)); err != nil {
				t.Fatal(err)
			}
			return recorder.Body.String()
		}
		link := `<a href="` + strings.ReplaceAll(address, "&", "&amp;") + `">`
		for _, operation := range []string{"getDocs", "getHomePage"} {
			body := get(operation)
			if address != "" && !strings.Contains(body, link) || address == "" && strings.Contains(body, "Report a token") || strings.Contains(body, "report.invalid") {
				t.Errorf("%q: %s does not show it, or something else", address, operation)
			}
		}
		var document struct {
			Info struct {
				Contact json.RawMessage `json:"contact"`
			} `json:"info"`
		}
		if err := json.Unmarshal([]byte(get("getOpenAPI")), &document); err != nil || string(document.Info.Contact) != contact {
			t.Errorf("%q: the contact is %s, %v; want %s", address, document.Info.Contact, err, contact)
		}
	}
	for _, address := range []string{"javascript:alert(1)", "http://api.example", "mailto:", "abuse@api.example"} {
		if _, err := page.New(page.Config{Network: "devnet", ReportURL: address}); err == nil || !strings.Contains(err.Error(), "report address") {
			t.Errorf("page.New with report address %q: %v, want an error that names it", address, err)
		}
	}
}
