package jwt

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// uniqueNames refuses a JSON object with two members of one name, for which
// parsers differ (RFC 8725, section 2.4). Go's reads names without regard to
// case, so "Sub" and "sub" are one name here. segment is base64url.
func uniqueNames(segment string) error {
	text, err := base64.RawURLEncoding.DecodeString(segment)
	if err != nil {
		return fmt.Errorf("decode segment: %w", err)
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
