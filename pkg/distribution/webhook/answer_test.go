package webhook_test

import (
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/webhook"
)

func TestAnswers(t *testing.T) {
	const asked = `{"challenge":"0123456789abcdef0123456789abcdef"}`
	for answer, want := range map[string]bool{
		asked: true,
		`{"ok":true, "challenge" : "0123456789abcdef0123456789abcdef"}`: true,
		"0123456789abcdef0123456789abcdef":                              true,
		" 0123456789abcdef0123456789abcdef\r\n":                         true,
		"":                                                              false,
		"{}":                                                            false,
		`{"challenge":""}`:                                              false,
		`{"challenge":null}`:                                            false,
		`{"challenge":"0123456789abcdef"}`:                              false,
		`["0123456789abcdef0123456789abcdef"]`:                          false,
		asked + asked:                                                   false,
		asked[:40]:                                                      false,
	} {
		if got := webhook.Answers([]byte(asked), []byte(answer)); got != want {
			t.Errorf("%q: %v", answer, got)
		}
	}
	if webhook.Answers([]byte(`{"challenge":""}`), nil) || webhook.Answers([]byte(`{}`), []byte(`{}`)) {
		t.Error("nothing is an answer to nothing")
	}
}

// What a receiver answers is compared with the challenge, and nothing else is made of it.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"challenge":"0123456789abcdef0123456789abcdef"}`))
	f.Add([]byte(`{"challenge":{"challenge":"0123456789abcdef0123456789abcdef"}}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		const text = "0123456789abcdef0123456789abcdef"
		if webhook.Answers([]byte(`{"challenge":"`+text+`"}`), answer) && !strings.Contains(string(answer), text) && !strings.Contains(string(answer), `\u`) {
			t.Errorf("%q is an answer", answer)
		}
	})
}
