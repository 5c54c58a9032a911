package auth_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/platform/auth"
)

func TestTokenFromHeader(t *testing.T) {
	for _, c := range []struct {
		header string
		token  string
		ok     bool
	}{
		{"", "", false},
		{"   ", "", false},
		{"Bearer", "", false},
		{"bearer ", "", false},
		{"Bearer    ", "", false},
		{"Bearer a.b.c", "a.b.c", true},
		{"bearer a.b.c", "a.b.c", true},
		{"BEARER a.b.c", "a.b.c", true},
		{" Bearer   a.b.c ", "a.b.c", true},
		{"a.b.c", "a.b.c", true},
		{"Bearera.b.c", "Bearera.b.c", true},
		{"Basic dTpw", "Basic dTpw", true},
		{"Bearer a.b.c,Bearer d.e.f", "a.b.c,Bearer d.e.f", true},
	} {
		if token, ok := auth.TokenFromHeader(c.header); token != c.token || ok != c.ok {
			t.Errorf("TokenFromHeader(%q) = %q, %v; want %q, %v", c.header, token, ok, c.token, c.ok)
		}
	}
}
