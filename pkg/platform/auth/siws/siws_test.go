package siws_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

const text = `launch.example:8443 wants you to sign in with your Solana account:
4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T

Sign in to launch and manage tokens.

URI: https://launch.example:8443/auth
Version: 1
Chain ID: devnet
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-03-04T05:06:07.089Z
Expiration Time: 2026-03-04T05:11:07.089Z`

var message = siws.Message{
	Domain:         "launch.example:8443",
	Address:        "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",
	Statement:      "Sign in to launch and manage tokens.",
	URI:            "https://launch.example:8443/auth",
	ChainID:        "devnet",
	Nonce:          "0123456789abcdef0123456789abcdef",
	IssuedAt:       time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC),
	ExpirationTime: time.Date(2026, 3, 4, 5, 11, 7, 89e6, time.UTC),
}

func TestParseRefuses(t *testing.T) {
	replace := func(old, with string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the message", old)
		}
		return strings.Replace(text, old, with, 1)
	}
	for name, text := range map[string]string{
		"nothing":                     "",
		"another text":                "Sign in please",
		"too long":                    text + strings.Repeat("x", siws.MaxLength),
		"line feed at the end":        text + "\n",
		"a space at the end":          text + " ",
		"a space at the start":        " " + text,
		"carriage returns":            strings.ReplaceAll(text, "\n", "\r\n"),
		"a byte order mark":           "\uFEFF" + text,
		"a NUL":                       replace("launch and", "launch\x00and"),
		"invalid UTF-8":               replace("launch and", "launch\xffand"),
		"another blockchain":          replace("Solana", "Ethereum"),
		"no domain":                   replace("launch.example:8443 wants", " wants"),
		"domain with a scheme":        replace("launch.example:8443 wants", "https://launch.example wants"),
		"domain with a path":          replace("launch.example:8443 wants", "launch.example/x wants"),
		"domain with a user":          replace("launch.example:8443 wants", "me@launch.example wants"),
		"domain with a space":         replace("launch.example:8443 wants", "launch example wants"),
		"domain with a bad port":      replace("launch.example:8443 wants", "launch.example:x wants"),
		"no address":                  replace(message.Address, ""),
		"address too short":           replace(message.Address, message.Address[:31]),
		"address too long":            replace(message.Address, message.Address+"1"),
		"address not base58":          replace("4Nd1", "0Nd1"),
		"address with a space":        replace(message.Address, message.Address+" "),
		"no statement":                replace("\n\nSign in to launch and manage tokens.", ""),
		"empty statement":             replace("Sign in to launch and manage tokens.", ""),
		"statement not ASCII":         replace("tokens.", "tökens."),
		"statement of two lines":      replace("launch and", "launch\nand"),
		"no empty line":               replace("\n\nSign", "\nSign"),
		"two empty lines":             replace("\n\nSign", "\n\n\nSign"),
		"something on the empty line": replace("\n\nSign", "\n \nSign"),
		"relative URI":                replace("https://launch.example:8443/auth", "/auth"),
		"URI without a host":          replace("https://launch.example:8443/auth", "urn:auth"),
		"URI with a space":            replace("8443/auth", "8443/a uth"),
		"URI with a bad escape":       replace("8443/auth", "8443/%zz"),
		"version 2":                   replace("Version: 1", "Version: 2"),
		"no version":                  replace("Version: 1\n", ""),
		"unknown chain":               replace("devnet", "solana"),
		"chain in capitals":           replace("devnet", "Devnet"),
		"chain with its family":       replace("devnet", "solana:devnet"),
		"no space after the colon":    replace("Nonce: ", "Nonce:"),
		"two spaces after the colon":  replace("Nonce: ", "Nonce:  "),
		"short nonce":                 replace(message.Nonce, "1234567"),
		"nonce with punctuation":      replace(message.Nonce, "0123456789abcdef-"),
		"lower-case name":             replace("Nonce: ", "nonce: "),
		"fields in another order":     replace("Version: 1\nChain ID: devnet", "Chain ID: devnet\nVersion: 1"),
		"a field twice":               replace("Version: 1\n", "Version: 1\nVersion: 1\n"),
		"time without milliseconds":   replace("07.089Z", "07Z"),
		"time with microseconds":      replace("07.089Z", "07.089000Z"),
		"time with a comma":           replace("07.089Z", "07,089Z"),
		"time with an offset":         replace("07.089Z", "07.089+00:00"),
		"time in lower case":          replace("07.089Z", "07.089z"),
		"no such day":                 replace("2026-03-04T05:06", "2026-02-30T05:06"),
		"a second too many":           replace("05:06:07", "05:06:60"),
		"before 1970":                 replace("2026-03-04T05:06", "1969-03-04T05:06"),
		"expired before it was issued": replace(
			"Expiration Time: 2026-03-04T05:11:07.089Z", "Expiration Time: 2026-03-04T05:06:07.089Z"),
		"no expiration":    replace("\nExpiration Time: 2026-03-04T05:11:07.089Z", ""),
		"a field too many": text + "\nNot Before: 2026-03-04T05:06:07.089Z",
		"resources":        text + "\nResources:\n- https://launch.example",
	} {
		t.Run(name, func(t *testing.T) {
			m, err := siws.Parse(text)
			if !errors.Is(err, siws.ErrMalformed) {
				t.Errorf("Parse = %+v, %v; want ErrMalformed", m, err)
			}
		})
	}
}

func TestParse(t *testing.T) {
	m, err := siws.Parse(text)
	if err != nil || m != message {
		t.Errorf("Parse = %+v, %v; want %+v", m, err, message)
	}
}

func TestFormat(t *testing.T) {
	got, err := siws.Format(message)
	if err != nil || got != text {
		t.Errorf("Format = %q, %v; want %q", got, err, text)
	}
}

func TestFormatRefusesWhatParseWould(t *testing.T) {
	for name, change := range map[string]func(*siws.Message){
		"a second line in the statement": func(m *siws.Message) { m.Statement = "Hello\nURI: https://evil.example" },
		"a second line in the domain":    func(m *siws.Message) { m.Domain = "a\nb" },
		"a second line in the URI":       func(m *siws.Message) { m.URI += "\nVersion: 1" },
		"another zone":                   func(m *siws.Message) { m.IssuedAt = m.IssuedAt.In(time.FixedZone("x", 3600)) },
		"microseconds":                   func(m *siws.Message) { m.IssuedAt = m.IssuedAt.Add(time.Microsecond) },
		"never expires":                  func(m *siws.Message) { m.ExpirationTime = time.Time{} },
	} {
		t.Run(name, func(t *testing.T) {
			m := message
			change(&m)
			if got, err := siws.Format(m); !errors.Is(err, siws.ErrMalformed) {
				t.Errorf("Format = %q, %v; want ErrMalformed", got, err)
			}
		})
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		issued := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "issued")).UTC()
		m := siws.Message{
			Domain:         rapid.StringMatching(`[a-z]([a-z0-9-]{0,10}[a-z0-9])?(\.[a-z]{2,6})?(:[1-9][0-9]{0,3})?`).Draw(t, "domain"),
			Address:        rapid.StringMatching(`[1-9A-HJ-NP-Za-km-z]{32,44}`).Draw(t, "address"),
			Statement:      rapid.StringMatching(`[ -~]{1,80}`).Draw(t, "statement"),
			URI:            rapid.StringMatching(`https?://[a-z]{1,10}(/[a-z0-9._~-]{0,10}){0,3}(\?[a-z]=[0-9])?`).Draw(t, "uri"),
			ChainID:        rapid.SampledFrom([]string{"mainnet", "devnet", "testnet", "localnet"}).Draw(t, "chain"),
			Nonce:          rapid.StringMatching(`[0-9A-Za-z]{8,64}`).Draw(t, "nonce"),
			IssuedAt:       issued,
			ExpirationTime: issued.Add(time.Duration(rapid.Int64Range(1, 1e9).Draw(t, "life")) * time.Millisecond),
		}
		text, err := siws.Format(m)
		if err != nil {
			t.Fatalf("Format(%+v): %v", m, err)
		}
		if back, err := siws.Parse(text); err != nil || back != m {
			t.Fatalf("Parse(%q) = %+v, %v; want %+v", text, back, err, m)
		}
	})
}

// FuzzParse tests that Format returns every text that Parse accepts, byte for byte.
func FuzzParse(f *testing.F) {
	f.Add(text)
	f.Add(strings.Replace(text, "launch.example:8443 wants", "[::1]:80 wants", 1))
	f.Add(strings.Replace(text, "07.089Z", "07,089Z", 1))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := siws.Parse(text)
		if err != nil {
			if !errors.Is(err, siws.ErrMalformed) {
				t.Errorf("Parse: %v is not ErrMalformed", err)
			}
			return
		}
		back, err := siws.Format(m)
		if err != nil || back != text {
			t.Errorf("Format(Parse(%q)) = %q, %v", text, back, err)
		}
	})
}
