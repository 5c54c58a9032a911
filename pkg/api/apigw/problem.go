package apigw

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/web/errorpage"
)

// defaultRetryAfter is the Retry-After of a 503 without a time.
const defaultRetryAfter = 5 * time.Second

// Problem is the JSON form of an error (RFC 9457). Code is stable, and clients switch on the code.
// Type is the address of the code's documentation.
type Problem struct {
	Type       string         `json:"type"`
	Title      string         `json:"title"`
	Status     int            `json:"status"`
	Detail     string         `json:"detail"`
	Code       string         `json:"code"`
	RequestID  string         `json:"requestId"`
	Errors     []ProblemField `json:"errors,omitempty"`
	RetryAfter int64          `json:"retryAfter,omitempty"` // seconds
	Refresh    any            `json:"refresh,omitempty"`    // Refresh of apperr.Error
	// Message is the whole error in one text, which clients of Solana Actions show.
	Message string `json:"message,omitempty"`
}

// ProblemField is one invalid field of a request.
type ProblemField struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// explain converts an error to the error for the caller.
func explain(ctx context.Context, err error) *apperr.Error {
	var tooLong *http.MaxBytesError
	if told, ok := errors.AsType[*apperr.Error](err); ok {
		return told
	}
	switch {
	case errors.As(err, &tooLong):
		return bodyTooLarge(tooLong.Limit)
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return apperr.Upstream("Something that this request needs", err)
	default:
		return &apperr.Error{
			Code:   apperr.CodeInternal,
			Detail: "Something went wrong on our side. The request id names it in our logs.", Cause: err,
		}
	}
}

func bodyTooLarge(limit int64) *apperr.Error {
	return apperr.New(apperr.CodeBodyTooLarge, "The body is longer than the "+strconv.FormatInt(limit, 10)+" bytes that this route takes.")
}

// actions is the beginning of the paths of Solana Actions.
const actions = "/actions/"

// message returns the error in one text: the detail, or the errors of the fields.
func message(e *apperr.Error) string {
	if len(e.Fields) == 0 {
		return e.Detail
	}
	texts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		texts[i] = f.Field + ": " + f.Message
	}
	return strings.Join(texts, " ")
}

// problem renders an error. The text is the Message, or empty.
func problem(e *apperr.Error, requestID, text string) *reply {
	status := int(e.Kind())
	p := Problem{
		Type:      "/docs#" + e.Code.String(),
		Title:     title(e.Code),
		Status:    status,
		Detail:    e.Detail,
		Code:      e.Code.String(),
		RequestID: requestID,
		Refresh:   e.Refresh,
		Message:   text,
	}
	for _, f := range e.Fields {
		p.Errors = append(p.Errors, ProblemField{f.Field, f.Code.String(), f.Message})
	}
	out := newReply()
	out.header.Set("Content-Type", "application/problem+json")
	out.header.Set("Cache-Control", "no-store")
	switch status {
	case http.StatusUnauthorized:
		out.header.Set("WWW-Authenticate", "Bearer")
	case http.StatusMethodNotAllowed:
		out.header.Set("Allow", strings.Join(e.Allow, ", "))
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		p.RetryAfter = retrySeconds(e.RetryAfter)
	case http.StatusConflict:
		if e.RetryAfter > 0 { // only some conflicts are transient
			p.RetryAfter = retrySeconds(e.RetryAfter)
		}
	}
	if p.RetryAfter > 0 {
		out.header.Set("Retry-After", strconv.FormatInt(p.RetryAfter, 10))
	}
	body, err := encode(p)
	if err != nil { // impossible: a Problem has only strings and numbers
		body = []byte(`{"code":"internal"}`)
	}
	out.WriteHeader(status)
	out.body.Write(body)
	return out
}

// failure renders an error for the caller: a page for a person who opened the address in a browser,
// and a problem for every other client.
func failure(r *http.Request, e *apperr.Error, requestID string) *reply {
	text := ""
	if strings.HasPrefix(r.URL.Path, actions) {
		text = message(e)
	}
	out := problem(e, requestID, text)
	if !navigates(r) {
		return out
	}
	page := errorpage.Page{Status: out.status, Title: title(e.Code), Detail: e.Detail, RequestID: requestID}
	if seconds, err := strconv.Atoi(out.header.Get("Retry-After")); err == nil {
		page.RetryAfter = time.Duration(seconds) * time.Second
	}
	out.header.Set("Content-Type", "text/html; charset=utf-8")
	out.header.Set("Content-Security-Policy", errorpage.Policy)
	out.header.Set("Referrer-Policy", "no-referrer")
	out.body.Reset()
	out.body.Write(page.HTML())
	return out
}

// navigates reports whether a person opened the address in a browser. Only navigations name
// text/html in Accept. Scripts and programs send */* or application/json.
func navigates(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	for _, part := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if kind, _, _ := strings.Cut(part, ";"); strings.EqualFold(strings.TrimSpace(kind), "text/html") {
			return true
		}
	}
	return false
}

// retrySeconds rounds up to whole seconds.
func retrySeconds(d time.Duration) int64 {
	if d <= 0 {
		d = defaultRetryAfter
	}
	return int64((d + time.Second - 1) / time.Second)
}

// title converts a code to a title: "token_not_found" to "Token not found".
func title(code apperr.Code) string {
	words := strings.ReplaceAll(code.String(), "_", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
