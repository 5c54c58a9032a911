// Package errorpage generates the page for a failed navigation of a browser. The page is a single
// HTML text with an inline style. The page needs no script, no other file and no further request.
package errorpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"strconv"
	"strings"
	"time"
)

// Name is the name of the product, on its pages and in previews of its links.
const Name = "Shareout"

//go:embed errorpage.html
var layout string

//go:embed errorpage.css
var style string

// Policy is the Content-Security-Policy of the page, which allows only the inline style and the
// icon.
var Policy = "default-src 'none'; style-src 'sha256-" + sum(style) +
	"'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(hash[:])
}

// The HTTP statuses with specific texts. Other 5xx statuses have the texts of statusInternal.
const (
	statusNotFound    = 404
	statusTooMany     = 429
	statusInternal    = 500
	statusUnavailable = 503
)

// Page is the page of a failed navigation.
type Page struct {
	Status int
	// Title and Detail are the texts for statuses without specific texts.
	Title, Detail string
	// RetryAfter is the time until a retry makes sense; zero means never.
	RetryAfter time.Duration
	// RequestID identifies the request in the service's logs.
	RequestID string
}

// HTML returns the page.
func (p Page) HTML() []byte {
	title, detail := p.words()
	retry := ""
	if p.RetryAfter > 0 {
		retry = `<p class="again">Try again in <strong>` + span(p.RetryAfter) + `</strong>.</p>`
	}
	return []byte(strings.NewReplacer(
		"{{name}}", Name, "{{style}}", style, "{{status}}", strconv.Itoa(p.Status),
		"{{title}}", html.EscapeString(title), "{{detail}}", html.EscapeString(detail),
		"{{retry}}", retry, "{{id}}", html.EscapeString(p.RequestID),
	).Replace(layout))
}

// words returns the title and detail for users.
func (p Page) words() (title, detail string) {
	switch {
	case p.Status == statusNotFound:
		return "Page not found", "There is nothing at this address. Check it for typos."
	case p.Status == statusTooMany:
		return "Too many requests", "Your network has opened too many pages in a short time. " +
			"Everyone who shares your connection counts."
	case p.Status == statusUnavailable:
		return "Not available right now", "A part of the service does not respond. Nothing is lost, and no payment depends on this page."
	case p.Status >= statusInternal:
		return "Something went wrong", "The fault is on our side. If it stays, report the request below."
	default:
		return p.Title, p.Detail
	}
}

// span returns a waiting time in words, rounded up to a full second or minute.
func span(d time.Duration) string {
	n, unit := (d+time.Second-1)/time.Second, "second"
	if n > 90 {
		n, unit = (d+time.Minute-1)/time.Minute, "minute"
	}
	if n != 1 {
		unit += "s"
	}
	return strconv.FormatInt(int64(n), 10) + " " + unit
}
