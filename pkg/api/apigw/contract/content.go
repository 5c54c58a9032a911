package contract

import "tokenlaunch.example/service/pkg/token/content"

// Content is a file on IPFS.
type Content struct {
	CID string `json:"cid"`
	URI string `json:"uri"`
	URL string `json:"url"`
}

// NewContent returns the file with a content id. URL is at the gateway.
func NewContent(gateway, cid string) Content {
	return Content{CID: cid, URI: content.Scheme + cid, URL: gateway + "/ipfs/" + cid}
}

// OptionalContent is NewContent, and nil for an empty content id.
func OptionalContent(gateway, cid string) *Content {
	if cid == "" {
		return nil
	}
	return new(NewContent(gateway, cid))
}

// AnchorFile is the anchor of a proof, as lists name it.
type AnchorFile struct {
	Transaction Content `json:"transaction"`
}

// NewAnchorFile returns the anchor with a content id, nil for an empty one.
func NewAnchorFile(gateway, cid string) *AnchorFile {
	if cid == "" {
		return nil
	}
	return &AnchorFile{NewContent(gateway, cid)}
}
