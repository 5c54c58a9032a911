package auth

import "strings"

// TokenFromHeader finds the token in the value of an Authorization header: after
// the scheme "Bearer", in any case, or as the whole value. ok is false when there
// is none. What is found need not be a token.
func TokenFromHeader(value string) (token string, ok bool) {
	value = strings.TrimSpace(value)
	scheme, rest, found := strings.Cut(value, " ")
	if strings.EqualFold(scheme, "Bearer") {
		value = strings.TrimSpace(rest)
	} else if found {
		return value, true // another scheme: not a token, but not nothing either
	}
	return value, value != ""
}
