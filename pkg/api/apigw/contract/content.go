package contract

import "tokenlaunch.example/service/pkg/token/content"

// Content is a file on IPFS.
type Content struct {
	CID string `json:"cid"`
	URI string `json:"uri"`
	URL string `json:"url"`
}

// NewContent returns the file with a content ID. URL is the file's address at the gateway.
func NewContent(gateway, cid string) Content {
	return Content{CID: cid, URI: content.Scheme + cid, URL: gateway + "/ipfs/" + cid}
}

// OptionalContent is NewContent, but returns nil for an empty content ID.
func OptionalContent(gateway, cid string) *Content {
	if cid == "" {
		return nil
	}
	return new(NewContent(gateway, cid))
}

// AnchorFile is the anchor of a proof in lists.
type AnchorFile struct {
	Transaction Content `json:"transaction"`
}

// NewAnchorFile returns the anchor with a content ID, or nil for an empty content ID.
func NewAnchorFile(gateway, cid string) *AnchorFile {
	if cid == "" {
		return nil
	}
	return &AnchorFile{NewContent(gateway, cid)}
}
