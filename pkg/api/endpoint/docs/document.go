package docs

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"sync"
)

// built has the OpenAPI document and the reference page for a deployment at addressInSource, which
// make builds from openapi.yaml. A hidden file in dist lets this package compile before the build.
//
//go:embed all:dist
var built embed.FS

// read returns a built file, or nil before the build.
func read(name string) []byte {
	text, _ := built.ReadFile("dist/" + name)
	return text
}

// The placeholders for the deployment's addresses in both files. addressInSource is the address of
// package sample.
const (
	addressInSource   = "https://address.invalid"
	reportInReference = "https://report.invalid"
)

// Document returns the generated OpenAPI document, with "/" as the server. The caller owns the
// slice.
func Document() []byte { return read("openapi.json") }

// Version returns the version in the document.
var Version = sync.OnceValue(func() string {
	var info struct {
		Version string `json:"version"`
	}
	// Parse only the beginning, because every start of the function needs the version.
	fields := json.NewDecoder(bytes.NewReader(Document()))
	for {
		switch name, err := fields.Token(); {
		case err != nil:
			return "unknown" // a test reads the document
		case name == "info":
			if err := fields.Decode(&info); err != nil {
				return "unknown"
			}
			return info.Version
		}
	}
})

// document returns the OpenAPI document with this deployment as the server, and without white
// space, which saves a third of the bytes.
func (c Config) document() (file, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, Document()); err != nil {
		return file{}, fmt.Errorf("compact the OpenAPI document: %w", err)
	}
	body := compact.Bytes()
	if c.address() != "" {
		address, err := json.Marshal(c.address())
		if err != nil {
			return file{}, fmt.Errorf("quote the public URL: %w", err)
		}
		server := []byte(`"servers":[{"url":"/"`)
		if bytes.Count(body, server) != 1 {
			return file{}, errors.New("the OpenAPI document does not have one server")
		}
		body = bytes.Replace(body, server, append([]byte(`"servers":[{"url":`), address...), 1)
		body = bytes.ReplaceAll(body, []byte(addressInSource), address[1:len(address)-1])
	}
	if c.ReportURL != "" {
		contact, err := json.Marshal(c.contact())
		if err != nil {
			return file{}, fmt.Errorf("write the contact: %w", err)
		}
		operator := []byte(`"contact":{"name":"The operator of this service"}`)
		if bytes.Count(body, operator) != 1 {
			return file{}, errors.New("the OpenAPI document does not have one contact")
		}
		body = bytes.Replace(body, operator, append([]byte(`"contact":`), contact...), 1)
	}
	return newFile("application/json", cacheFor, nil, body), nil
}

// contact returns the address for reports of a token, a picture or a name in OpenAPI's form.
func (c Config) contact() map[string]string {
	contact := map[string]string{"name": "Report a token, a picture or a name"}
	if mail, ok := strings.CutPrefix(c.ReportURL, "mailto:"); ok {
		contact["email"] = mail
	} else {
		contact["url"] = c.ReportURL
	}
	return contact
}

// report inserts the address for reports into the reference page, or removes the line.
func (c Config) report(body []byte) ([]byte, error) {
	before, rest, found := bytes.Cut(body, []byte(`<p class="report">`))
	line, after, ended := bytes.Cut(rest, []byte("</p>\n"))
	if !found || !ended || !bytes.Contains(line, []byte(reportInReference)) {
		return nil, errors.New("the page has no place for the report address")
	}
	if c.ReportURL == "" {
		return slices.Concat(before, after), nil
	}
	return bytes.ReplaceAll(body, []byte(reportInReference), []byte(html.EscapeString(c.ReportURL))), nil
}

// page returns the reference page.
func (c Config) page() (file, error) {
	reference := read("reference.html")
	_, style, _ := bytes.Cut(reference, []byte("<style>"))
	style, _, found := bytes.Cut(style, []byte("</style>"))
	if !found {
		return file{}, errors.New("the page has no style")
	}
	sum := sha256.Sum256(style)
	body := bytes.ReplaceAll(reference, []byte(addressInSource), []byte(html.EscapeString(c.address())))
	body, err := c.report(body)
	if err != nil {
		return file{}, err
	}
	return newFile("text/html; charset=utf-8", cacheFor, map[string]string{
		// Allow only the page's own style.
		"Content-Security-Policy": "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"Referrer-Policy": "no-referrer",
	}, body), nil
}

// address returns the API's address, without a trailing slash.
func (c Config) address() string { return strings.TrimSuffix(c.PublicURL, "/") }
