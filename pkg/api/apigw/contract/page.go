package contract

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strconv"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Sizes of pages (requirement, "Other constants").
const (
	DefaultLimit = 20
	MaxLimit     = 100
)

// ReadPage reads limit and cursor of a list. after is the position in the cursor, which must match
// place; empty without a cursor.
func ReadPage(query url.Values, place *regexp.Regexp) (limit int, after string, err error) {
	var bad []apperr.Field
	limit = DefaultLimit
	if text := query.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > MaxLimit {
			bad = append(bad, apperr.Field{Field: "limit", Code: apperr.CodeOutOfRange, Message: "Must be a whole number from 1 to 100."})
		}
		limit = n
	}
	if text := query.Get("cursor"); text != "" {
		decoded, err := base64.RawURLEncoding.Strict().DecodeString(text)
		if err != nil || !place.Match(decoded) {
			bad = append(bad, apperr.Field{
				Field: "cursor", Code: apperr.CodeInvalidFormat, Message: "Must be the nextCursor of an answer for the same list.",
			})
		}
		after = string(decoded)
	}
	return limit, after, apperr.Validation(bad)
}

// Cursor encodes a position as the cursor of the next request. It returns nil for an empty
// position, after the last page.
func Cursor(place string) *string {
	if place == "" {
		return nil
	}
	return new(base64.RawURLEncoding.EncodeToString([]byte(place)))
}
