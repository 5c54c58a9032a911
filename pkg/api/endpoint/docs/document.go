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

// built has the OpenAPI document and the same as a page for a deployment at addressInSource, which
// make builds from openapi.yaml. The hidden file lets this package compile before.
//
//go:embed all:dist
var built embed.FS

// read returns a built file, or nothing before make has built it.
func read(name string) []byte {
	text, _ := built.ReadFile("dist/" + name)
	return text
}

// What stands for the deployment's in both; the address is that of package sample.
const (
	addressInSource   = "https://address.invalid"
	reportInReference = "https://report.invalid"
)

// Document gives the OpenAPI document as it is generated, with "/" as its
// server. The slice is the caller's own.
func Document() []byte { return read("openapi.json") }

// Version gives the version that the document states.
var Version = sync.OnceValue(func() string {
	var info struct {
		Version string `json:"version"`
	}
	// Not the whole document, for every start of the function reads it.
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

// document is the OpenAPI document with this deployment as its server, without
// white space: a third less to send.
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

// contact is where a token, a picture or a name is reported, as OpenAPI has it.
func (c Config) contact() map[string]string {
	contact := map[string]string{"name": "Report a token, a picture or a name"}
	if mail, ok := strings.CutPrefix(c.ReportURL, "mailto:"); ok {
		contact["email"] = mail
	} else {
		contact["url"] = c.ReportURL
	}
	return contact
}

// report writes where something is reported into the document to read, or leaves that line
// out.
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

// page is the document to read.
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
		// Nothing but its own style.
		"Content-Security-Policy": "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"Referrer-Policy": "no-referrer",
	}, body), nil
}

// address is where the API is reached, without a slash at the end.
func (c Config) address() string { return strings.TrimSuffix(c.PublicURL, "/") }
