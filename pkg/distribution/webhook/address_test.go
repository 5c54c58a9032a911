package webhook_test

import (
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/webhook"
)

func TestCheckURL(t *testing.T) {
	for raw, want := range map[string]bool{
		"https://hooks.example.com":                              true,
		"https://hooks.example.com/a/b?c=d":                      true,
		"https://hooks.example.com:443/":                         true,
		"https://hooks.example.com:8443/":                        true,
		"HTTPS://Hooks.Example.COM./":                            true,
		"https://xn--bcher-kva.example.com/":                     true,
		"http://hooks.example.com/":                              false,
		"https://hooks.example.com:22/":                          false,
		"https://user@hooks.example.com/":                        false,
		"https://user:word@hooks.example.com/":                   false,
		"https://hooks.example.com/#x":                           false,
		"https://hooks.example.com/#":                            false,
		"https://8.8.8.8/":                                       false,
		"https://[2606:4700::1]/":                                false,
		"https://2130706433/":                                    false,
		"https://0x7f.1/":                                        false,
		"https://127.1/":                                         false,
		"https://localhost/":                                     false,
		"https://a.localhost/":                                   false,
		"https://metadata.google.internal/":                      false,
		"https://printer.local/":                                 false,
		"https://intranet/":                                      false,
		"https://hooks..example.com/":                            false,
		"https://bücher.example.com/":                            false,
		"https://hooks.example.com\\@127.0.0.1":                  false,
		"https:hooks.example.com":                                false,
		"//hooks.example.com/":                                   false,
		"ftp://hooks.example.com/":                               false,
		"javascript:alert(1)":                                    false,
		"https:///x":                                             false,
		"https://hooks.example.com/" + strings.Repeat("x", 2048): false,
		"": false,
	} {
		if err := webhook.CheckURL(raw, false); (err == nil) != want {
			t.Errorf("%q: %v, want allowed %v", raw, err, want)
		}
	}
	for raw, want := range map[string]bool{
		"http://127.0.0.1:5000/x": true, "http://localhost:80/": true, "https://[::1]:1/": true, "http://10.0.0.1/": false, "http://example.com/": false,
	} {
		if err := webhook.CheckURL(raw, true); (err == nil) != want {
			t.Errorf("locally %q: %v, want allowed %v", raw, err, want)
		}
	}
}

// Names of one owner are one destination.
func TestDestination(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.hooks.example.com/": "example.com", "https://B.example.com.:8443/x": "example.com", "https://x.y.example.co.uk/": "example.co.uk",
		"http://127.0.0.1:9/": "127.0.0.1", "http://localhost:1/": "localhost",
	} {
		if got := webhook.Destination(raw); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	f.Add("https://hooks.example.com/")
	f.Fuzz(func(t *testing.T, raw string) {
		if webhook.CheckURL(raw, false) == nil && (!strings.HasPrefix(strings.ToLower(raw), "https://") || webhook.Destination(raw) == "") {
			t.Errorf("%q is allowed", raw)
		}
	})
}
