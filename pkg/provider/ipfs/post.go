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

// Timeout bounds one call of a pinning service; the context may end it sooner.
const Timeout = 20 * time.Second

// maxAnswer is the most that is read of an answer, in bytes.
const maxAnswer = 64 << 10

// maxExcerpt is how much of a refusal is logged, in bytes.
const maxExcerpt = 300

// client is for all pinning services: the content and the token are for them alone.
var client = httpclient.New(httpclient.Limits{Answer: maxAnswer, Timeout: Timeout})

// field is a form field that comes before the file.
type field struct{ name, value string }

// post sends the content as a form's file and gives the answer's body when its
// status is 200. Errors name the host only: the address and the headers may
// hold credentials.
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

// refusedError is an answer with another status than 200.
type refusedError struct {
	host   string
	status int
	says   string // its beginning, without what the request was authorised by
}

// Error names the host only.
func (e *refusedError) Error() string {
	return fmt.Sprintf("%s answers with status %d: %q", e.host, e.status, e.says)
}

// call makes a request and gives the answer's body when its status is 200. Any other is a
// refusedError.
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

// excerpt is the beginning of a refusal, for the log, without what the request
// was authorised by, should the service repeat it.
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

// parseBase reads the address of a service, which may have a path.
func parseBase(text string) (*url.URL, error) {
	base, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("the address is not a URL") // the cause would repeat it
	}
	if (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, errors.New("the address is not an http or https URL")
	}
	return base, nil
}

// at gives the address of a path of the service.
func at(base *url.URL, elements ...string) *url.URL {
	address := *base
	address.Path = path.Join(append([]string{"/", base.Path}, elements...)...)
	address.RawPath = ""
	return &address
}
