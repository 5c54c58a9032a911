package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"time"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/outbound"
	"tokenlaunch.example/service/pkg/proof"
)

// fileTimeout bounds the reading of one file, which has 256 KiB at most.
const fileTimeout = time.Minute

// gateway is a source whose files are beside each other on a web server.
type gateway struct {
	folder *url.URL
	// extensions says whether files are named with those of their kinds.
	extensions bool
	client     *http.Client
}

// openURL takes the address of an anchor.
func openURL(address string) (proof.Source, string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, "", errors.New("the URL cannot be read")
	}
	name := path.Base(u.Path)
	g := gateway{folder: u.JoinPath(".."), extensions: path.Ext(name) == asset.ProofAnchor.Extension, client: outbound.NewFollowing(outbound.Limits{Answer: proof.MaxFile, Timeout: fileTimeout})}
	if g.extensions {
		name = name[:len(name)-len(asset.ProofAnchor.Extension)]
	}
	return g, name, nil
}

// File reads a file; what it is worth is for others to say.
func (g gateway) File(ctx context.Context, kind asset.Kind, cid string) ([]byte, error) {
	name := cid
	if g.extensions {
		name += kind.Extension
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.folder.JoinPath(name).String(), nil)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", name, err)
	}
	response, err := g.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", name, err)
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusForbidden, http.StatusGone: // S3 says 403 when listing is not allowed
		return nil, proof.ErrNoFile
	default:
		return nil, fmt.Errorf("ask for %s: status %d", name, response.StatusCode)
	}
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return content, nil
}
