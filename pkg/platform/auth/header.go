package auth

import "strings"

// TokenFromHeader finds the access token in an Authorization header: after the scheme "Bearer", in
// any case, or as the whole value. ok is false for an empty value. The returned text may be invalid
// as an access token.
func TokenFromHeader(value string) (token string, ok bool) {
	value = strings.TrimSpace(value)
	scheme, rest, found := strings.Cut(value, " ")
	if strings.EqualFold(scheme, "Bearer") {
		value = strings.TrimSpace(rest)
	} else if found {
		return value, true // another scheme: invalid as an access token, but not absent
	}
	return value, value != ""
}
