package docs

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	reference "tokenlaunch.example/service/pkg/endpoint/docs/page"
)

//go:embed openapi.json
var source []byte

// Document gives the OpenAPI document as it is generated, with "/" as its
// server. The slice is the caller's own.
func Document() []byte { return bytes.Clone(source) }

// Version gives the version that the document states.
var Version = sync.OnceValue(func() string {
	var d struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
	}
	if err := json.Unmarshal(source, &d); err != nil {
		return "unknown" // a test reads the document
	}
	return d.Info.Version
})

// document is the OpenAPI document with this deployment as its server, without
// white space: a third less to send.
func (c Config) document() (file, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, source); err != nil {
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
	}
	return newFile("application/json", cacheFor, nil, body), nil
}

// page is the document to read.
func (c Config) page() (file, error) {
	body, err := reference.Render(source, c.address())
	if err != nil {
		return file{}, fmt.Errorf("render the page: %w", err)
	}
	return newFile("text/html; charset=utf-8", cacheFor, map[string]string{
		"Content-Security-Policy": reference.Policy(), "Referrer-Policy": "no-referrer",
	}, body), nil
}

// address is where the API is reached, without a slash at the end.
func (c Config) address() string { return strings.TrimSuffix(c.PublicURL, "/") }
