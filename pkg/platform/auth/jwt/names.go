package jwt

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// uniqueNames rejects a JSON object with two members of the same name, because parsers treat
// duplicates differently (RFC 8725, section 2.4). Go's parser ignores the case of names, so "Sub"
// and "sub" are the same name. uniqueNames also rejects invalid UTF-8, which Go would read as
// another text (section 3.7). segment is base64url.
func uniqueNames(segment string) error {
	text, err := base64.RawURLEncoding.DecodeString(segment)
	if err != nil {
		return fmt.Errorf("decode segment: %w", err)
	}
	if !utf8.Valid(text) {
		return errors.New("not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	seen := map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return fmt.Errorf("read a name: %w", err)
		}
		name, _ := token.(string)
		name = strings.ToLower(name)
		if seen[name] {
			return fmt.Errorf("%q twice", name)
		}
		seen[name] = true
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return fmt.Errorf("read %q: %w", name, err)
		}
	}
	return nil
}
