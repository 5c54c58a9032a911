package ipfs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/httpclient"
)

// Timeout is the maximum duration of one call of a pinning service. The context may end the call
// sooner.
const Timeout = 20 * time.Second

// maxAnswer is the maximum size of a response, in bytes.
const maxAnswer = 64 << 10

// maxExcerpt is the maximum size of a logged error response, in bytes.
const maxExcerpt = 300

// client is the client for all pinning services. The client follows no redirect, so the content and
// the token reach only the services.
var client = httpclient.New(httpclient.Limits{Answer: maxAnswer, Timeout: Timeout})

// field is a form field in front of the file.
type field struct{ name, value string }

// post sends the content as a file of a form, and returns the body of a response with status 200.
// Errors show only the host, because the address and the headers may contain credentials.
func post(ctx context.Context, address *url.URL, header http.Header, fields []field, name string, content []byte) ([]byte, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		if err := form.WriteField(f.name, f.value); err != nil {
			return nil, fmt.Errorf("write the form: %w", err)
		}
	}
	file, err := form.CreateFormFile("file", name)
	if err != nil {
		return nil, fmt.Errorf("write the form: %w", err)
	}
	if _, err := file.Write(content); err != nil {
		return nil, fmt.Errorf("write the form: %w", err)
	}
	if err := form.Close(); err != nil {
		return nil, fmt.Errorf("write the form: %w", err)
	}
	if header = header.Clone(); header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", form.FormDataContentType())
	return call(ctx, http.MethodPost, address, header, &body)
}

// refusedError is a response with another status than 200.
type refusedError struct {
	host   string
	status int
	says   string // the beginning of the response, without the credentials of the request
}

// Error returns a text that shows only the host.
func (e *refusedError) Error() string {
	return fmt.Sprintf("%s responds with status %d: %q", e.host, e.status, e.says)
}

// call makes a request and returns the body of a response with status 200. Any other status returns
// a refusedError.
func call(ctx context.Context, method string, address *url.URL, header http.Header, body io.Reader) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, address.String(), body)
	if err != nil {
		return nil, fmt.Errorf("make the request to %s: %w", address.Host, err)
	}
	for key, values := range header {
		request.Header[key] = values
	}
	response, err := client.Do(request)
	if err != nil {
		if inner, ok := errors.AsType[*url.Error](err); ok {
			err = inner.Err // without the address
		}
		return nil, fmt.Errorf("call %s: %w", address.Host, err)
	}
	answer, err := io.ReadAll(response.Body)
	err = errors.Join(err, response.Body.Close())
	if response.StatusCode != http.StatusOK {
		return nil, &refusedError{address.Host, response.StatusCode, excerpt(answer, request)}
	}
	if err != nil {
		return nil, fmt.Errorf("read the answer of %s: %w", address.Host, err)
	}
	return answer, nil
}

// excerpt returns the beginning of an error response for the log. The credentials of the request
// are removed, because the service may repeat the credentials.
func excerpt(answer []byte, request *http.Request) string {
	text := string(answer)
	_, token, _ := strings.Cut(request.Header.Get("Authorization"), " ")
	password, _ := request.URL.User.Password()
	for _, secret := range []string{token, password} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text[:min(len(text), maxExcerpt)]
}

// parseBase parses the address of a service. The address may have a path.
func parseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("the address is not a URL") // the cause would repeat the address
	}
	if (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, errors.New("the address is not an http or https URL")
	}
	return base, nil
}

// at returns the address of a path of the service.
func at(base *url.URL, elements ...string) *url.URL {
	address := *base
	address.Path = path.Join(append([]string{"/", base.Path}, elements...)...)
	address.RawPath = ""
	return &address
}
