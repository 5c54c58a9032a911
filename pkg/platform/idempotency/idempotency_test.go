package idempotency_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/idempotency"
)

func TestCheckKey(t *testing.T) {
	for name, test := range map[string]struct {
		given []string
		valid bool
	}{
		"a UUID":                {[]string{"4b8f7d8e-6f0e-4a7c-9a51-0c53a1f0c1de"}, true},
		"one character":         {[]string{"!"}, true},
		"every character":       {[]string{`!"#$%&'()*+,-./09:;<=>?@AZ[\]^_` + "`az{|}~"}, true},
		"as long as can be":     {[]string{strings.Repeat("k", 255)}, true},
		"longer":                {[]string{strings.Repeat("k", 256)}, false},
		"empty":                 {[]string{""}, false},
		"a space":               {[]string{"a b"}, false},
		"a tab":                 {[]string{"a\tb"}, false},
		"a control character":   {[]string{"a\x7f"}, false},
		"a letter beyond ASCII": {[]string{"ä"}, false},
		"no UTF-8":              {[]string{"\xff"}, false},
		"twice":                 {[]string{"a", "a"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			key, err := idempotency.CheckKey(test.given)
			if (err == nil) != test.valid || test.valid && key != test.given[0] {
				t.Errorf("CheckKey = %q, %v; want valid %v", key, err, test.valid)
			}
			if err != nil && (apperr.CodeOf(err) != "validation_failed" || !strings.Contains(err.Error(), idempotency.Header)) {
				t.Errorf("error %v does not name the header", err)
			}
		})
	}
}

func TestFingerprintsTellRequestsApart(t *testing.T) {
	const plain = "application/json"
	form := func(boundary, picture string) (string, []byte) {
		return "multipart/form-data; boundary=" + boundary, []byte("--" + boundary + "\r\n\r\n" + picture + "\r\n--" + boundary + "--\r\n")
	}
	base := idempotency.Fingerprint(http.MethodPost, "/tokens/submit", plain, []byte(`{"a":1}`))
	for name, other := range map[string][32]byte{
		"method":                   idempotency.Fingerprint(http.MethodPatch, "/tokens/submit", plain, []byte(`{"a":1}`)),
		"path":                     idempotency.Fingerprint(http.MethodPost, "/tokens/create-unsigned", plain, []byte(`{"a":1}`)),
		"body":                     idempotency.Fingerprint(http.MethodPost, "/tokens/submit", plain, []byte(`{"a":2}`)),
		"where the path ends":      idempotency.Fingerprint(http.MethodPost, "/tokens/submit{", plain, []byte(`"a":1}`)),
		"no body":                  idempotency.Fingerprint(http.MethodPost, "/tokens/submit", plain, nil),
		"a boundary of nothing":    idempotency.Fingerprint(http.MethodPost, "/tokens/submit", `multipart/form-data; boundary=""`, []byte(`{"a":2}`)),
		"a body that is no form's": idempotency.Fingerprint(http.MethodPost, "/tokens/submit", "multipart/form-data; boundary=1", []byte(`{"a":2}`)),
	} {
		if other == base {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
	of := func(boundary, picture string) [32]byte {
		kind, body := form(boundary, picture)
		return idempotency.Fingerprint(http.MethodPost, "/tokens/upload-image", kind, body)
	}
	if of("abc", "one") != of("xyz", "one") {
		t.Error("the boundary of a form counts")
	}
	if of("abc", "one") == of("abc", "two") {
		t.Error("the file of a form does not count")
	}
}

func TestWhichAnswersAreKept(t *testing.T) {
	for status, want := range map[int]bool{
		200: true, 201: true, 202: false, 204: true, 304: false,
		400: true, 401: false, 403: true, 404: true, 409: true, 413: true, 429: false,
		500: false, 503: false,
	} {
		if got := idempotency.Final(status); got != want {
			t.Errorf("%d is kept: %v, want %v", status, got, want)
		}
	}
}

func TestDecide(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	answer := &idempotency.Answer{Status: 200}
	claim := idempotency.Claim{Fingerprint: [32]byte{1}, Holder: "me"}
	for name, test := range map[string]struct {
		record idempotency.Record
		free   bool
		replay bool
		code   string
	}{
		"answered":                 {idempotency.Record{Fingerprint: [32]byte{1}, ValidUntil: now.Add(1), Answer: answer}, false, true, ""},
		"answered, a day ago":      {idempotency.Record{Fingerprint: [32]byte{1}, ValidUntil: now, Answer: answer}, true, false, ""},
		"of another request":       {idempotency.Record{Fingerprint: [32]byte{2}, ValidUntil: now.Add(1), Answer: answer}, false, false, "idempotency_key_reused"},
		"of another, a day ago":    {idempotency.Record{Fingerprint: [32]byte{2}, ValidUntil: now}, true, false, ""},
		"of another, crashed":      {idempotency.Record{Fingerprint: [32]byte{2}, ValidUntil: now.Add(1), LeaseUntil: now}, false, false, "idempotency_key_reused"},
		"in progress":              {idempotency.Record{Fingerprint: [32]byte{1}, ValidUntil: now.Add(1), LeaseUntil: now.Add(1), Holder: "another"}, false, false, "idempotency_in_progress"},
		"in progress by ourselves": {idempotency.Record{Fingerprint: [32]byte{1}, ValidUntil: now.Add(1), LeaseUntil: now.Add(1), Holder: "me"}, true, false, ""},
		"crashed":                  {idempotency.Record{Fingerprint: [32]byte{1}, ValidUntil: now.Add(1), LeaseUntil: now, Holder: "another"}, true, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			free, replay, err := test.record.Decide(claim, now)
			code := ""
			if err != nil {
				code = apperr.CodeOf(err)
			}
			if free != test.free || (replay != nil) != test.replay || code != test.code {
				t.Errorf("Decide = %v, %v, %v; want %v, %v, %q", free, replay, err, test.free, test.replay, test.code)
			}
		})
	}
}
