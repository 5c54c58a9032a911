package token

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// metadata is the off-chain file of a token, in the Metaplex fungible standard
// (developers.metaplex.com/token-metadata/token-standard), with the links that explorers and
// wallets read.
type metadata struct {
	Name        string `json:"name"`
	Symbol      string `json:"symbol"`
	Description string `json:"description"`
	Image       string `json:"image"`
	ExternalURL string `json:"external_url,omitempty"`
	Links
	Properties properties `json:"properties"`
}

type properties struct {
	Category string `json:"category"`
	Files    []file `json:"files"`
	Mint     string `json:"mint"`
	// Distribution is terms.OrderText of the settings of the launch. The creator's
	// signature on the launch fixes this file by its content id.
	Distribution string `json:"distribution"`
}

type file struct {
	URI  string `json:"uri"`
	Type string `json:"type"`
}

// Metadata returns the metadata file of the draft's token. Equal drafts with equal mints give equal
// bytes, and so equal content ids. Two mints never share a file, so the file of an abandoned mint
// can be deleted.
func (d Draft) Metadata(mint solana.PublicKey) ([]byte, error) {
	var out bytes.Buffer
	picture := content.Gateway + strings.TrimPrefix(d.ImageURI, content.Scheme)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(metadata{
		Name: d.Name, Symbol: d.Symbol, Description: d.Description,
		Image: picture, ExternalURL: d.Website, Links: d.Links,
		Properties: properties{
			Category: "image",
			Files:    []file{{URI: picture, Type: "image/jpeg"}, {URI: d.ImageURI, Type: "image/jpeg"}},
			Mint:     mint.String(),

			Distribution: terms.OrderText(mint, terms.LaunchVersion, d.Settings),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("render metadata: %w", err)
	}
	return out.Bytes(), nil
}

// LaunchSettings returns the text of the settings in a metadata file; empty if the file has no such
// text. It matches names exactly, unlike encoding/json with structs, so that all readers agree.
func LaunchSettings(file []byte) (string, error) {
	var text string
	var whole, properties map[string]json.RawMessage
	if err := json.Unmarshal(file, &whole); err != nil {
		return "", fmt.Errorf("read metadata: %w", err)
	}
	if json.Unmarshal(whole["properties"], &properties) != nil || json.Unmarshal(properties["distribution"], &text) != nil {
		return "", nil
	}
	return text, nil
}
