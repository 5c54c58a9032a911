// Package bundle locates the files of a distribution's proof, in a directory or on the web.
// Packages verify and format judge the files.
package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/httpclient"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/token/content"
)

// fileTimeout is the maximum duration of reading one file, which has at most 256 KiB.
const fileTimeout = time.Minute

// OpenFolder returns the files in a directory, and the content ID of the anchor. anchor selects a
// proof by content ID, and may be empty if the directory has only one proof.
func OpenFolder(folder, anchor string) (format.Source, string, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return nil, "", fmt.Errorf("open the folder: %w", err)
	}
	if !info.IsDir() {
		return nil, "", fmt.Errorf("%s is not a folder", folder)
	}
	files := format.Folder{Files: os.DirFS(folder)}
	if anchor != "" {
		return files, strings.TrimSuffix(anchor, content.ProofAnchor.Extension), nil
	}
	anchors, err := files.Anchors()
	if err != nil {
		return nil, "", err
	}
	switch len(anchors) {
	case 0:
		return nil, "", fmt.Errorf("%s has no anchor: no file whose name ends with %s", folder, content.ProofAnchor.Extension)
	case 1:
		return files, anchors[0], nil
	}
	return nil, "", fmt.Errorf("%s has %d proofs: choose one by its anchor: %s", folder, len(anchors), strings.Join(anchors, ", "))
}

// web is a source whose files are in one directory of a web server.
type web struct {
	folder *url.URL
	// extensions reports whether file names end with the extensions of their kinds, as at the
	// service, where each kind also has a directory.
	extensions bool
	client     *http.Client
}

// OpenURL returns the files in the directory of an address that the reader chose, at the service or
// at an IPFS gateway, and the content ID at the end of the address of an anchor or a manifest.
func OpenURL(address string) (format.Source, string, error) { return openURL(address, false) }

// OpenNamed is OpenURL for an address that an API named, with the API's own address. The API must
// not choose the requests in the reader's network. Unless the reader addressed the API in a private
// network, the files and redirects are read only from public addresses.
func OpenNamed(api, address string) (format.Source, string, error) {
	by, err := url.Parse(api)
	if err != nil || by.Host == "" {
		return nil, "", fmt.Errorf("the address of the API cannot be read: %q", api)
	}
	return openURL(address, !httpclient.Inside(by.Hostname()))
}

func openURL(address string, public bool) (format.Source, string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, "", errors.New("the URL cannot be read")
	}
	name := path.Base(u.Path)
	w := web{
		folder: u.JoinPath(".."),
		client: httpclient.NewFollowing(httpclient.Limits{Answer: format.MaxFile, Timeout: fileTimeout, Public: public}),
	}
	for _, kind := range []content.Kind{content.ProofAnchor, content.ProofManifest} {
		if cid, ok := strings.CutSuffix(name, kind.Extension); ok {
			return web{w.folder, true, w.client}, cid, nil
		}
	}
	return w, name, nil
}

// File reads a file.
func (w web) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	name, folder := cid, w.folder
	if w.extensions {
		name += kind.Extension
	}
	if w.extensions && kind == content.Metadata {
		folder = folder.JoinPath("..", kind.Folder)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, folder.JoinPath(name).String(), nil)
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", name, err)
	}
	response, err := w.client.Do(request)
	if errors.Is(err, httpclient.ErrTooLong) {
		return nil, fmt.Errorf("%w: %w", format.ErrAltered, err)
	}
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", name, err)
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusForbidden, http.StatusGone: // S3 returns 403 if listing is not allowed
		return nil, format.ErrNoFile
	default:
		return nil, fmt.Errorf("ask for %s: status %d", name, response.StatusCode)
	}
	body, err := io.ReadAll(response.Body)
	if errors.Is(err, httpclient.ErrTooLong) {
		return nil, fmt.Errorf("%w: %w", format.ErrAltered, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return body, nil
}
