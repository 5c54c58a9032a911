package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/proof/format"
)

// hostile clears the screen, claims that a proof is good, writes the clipboard, opens a title that does
// not end, turns the direction of the text, and more.
const hostile = "\x1b[2J\x1b[HFORGED\nFORGED The proof is good, and complete\r\tFORGED\x1b]52;c;eA==\x07\x9b\u009b2J\u202eFORGED\u2066\u200b\x7f\u2028FORGED\x1b]0;"

// fill replaces every text in a value that an API may answer with by a hostile one.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(hostile)
	case reflect.Struct:
		if _, is := v.Interface().(time.Time); is {
			v.Set(reflect.ValueOf(time.Unix(1_800_000_000, 0).UTC()))
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.String { // a cursor: there is no next page
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		v.Index(0).SetUint(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(1)
	case reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8, reflect.Uint:
		v.SetUint(1)
	}
}

// unsafeIn returns what in a text no terminal may get.
func unsafeIn(text string) string {
	for i, r := range text {
		if r != '\n' && !unicode.IsPrint(r) || !utf8.ValidString(text) {
			return fmt.Sprintf("byte %d: %q", i, text[max(0, i-20):min(len(text), i+20)])
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "FORGED") {
			return fmt.Sprintf("a line of a stranger's: %q", line)
		}
	}
	return ""
}

// No byte of a hostile API reaches the terminal as it is, and --json stays JSON.
func TestHostileAPI(t *testing.T) {
	mint := solana.PublicKey{7}.String()
	problem := fmt.Sprintf(`{"code":%[1]s,"title":%[1]s,"detail":%[1]s,"requestId":%[1]s,"status":404,"errors":[{"field":%[1]s,"code":%[1]s,"message":%[1]s}]}`, quoted(t, hostile))
	for name, c := range map[string]struct {
		arguments []string
		answer    any
	}{
		"tokens":       {[]string{"tokens", "--limit", "1"}, &client.TokenList{}},
		"stats":        {[]string{"stats"}, &client.Stats{}},
		"runs list":    {[]string{"runs", "list", mint, "--limit", "1"}, &client.RunList{}},
		"runs show":    {[]string{"runs", "show", mint, "run"}, &client.Run{}},
		"runs preview": {[]string{"runs", "preview", mint}, &client.RunPreview{}},
		"runs holder":  {[]string{"runs", "holder", mint, mint}, &client.Holder{}},
		"holder":       {[]string{"holder", mint}, &client.HolderLedger{}},
		"trades":       {[]string{"trades", mint, "--limit", "1"}, &client.TradeList{}},
		"candles":      {[]string{"candles", mint, "--limit", "1"}, &client.CandleList{}},
		"curve show":   {[]string{"curve", "show", mint}, &client.Curve{}},
		"fees":         {[]string{"fees", "show", mint}, &client.CurveFees{}},
		"verify":       {[]string{"verify", mint, "run"}, &client.Run{}},
	} {
		fill(reflect.ValueOf(c.answer).Elem())
		body, err := json.Marshal(c.answer)
		check(t, err)
		for kind, url := range map[string]string{
			"answer":  answering(t, http.StatusOK, string(body)),
			"problem": answering(t, http.StatusNotFound, problem),
		} {
			got := say(t, "", append([]string{"--api", url}, c.arguments...)...)
			if bad := unsafeIn(got.out) + unsafeIn(got.errs); bad != "" {
				t.Errorf("%s, %s: unsafe output %s", name, kind, bad)
			}
			if shown := strings.Contains(got.out+got.errs, "FORGED"); kind == "problem" && !shown {
				t.Errorf("%s, %s: no hostile text to show: %+v", name, kind, got)
			}
			got = say(t, "", append([]string{"--json", "--api", url}, c.arguments...)...)
			if bad := unsafeIn(got.out) + unsafeIn(got.errs); bad != "" || !json.Valid([]byte(got.out)) {
				t.Errorf("%s, %s: JSON: %s\n%s", name, kind, bad, got.out)
			}
		}
	}
}

func quoted(t *testing.T, text string) string {
	t.Helper()
	body, err := json.Marshal(text)
	check(t, err)
	return string(body)
}

// TestHostileBundle tests that a forged proof cannot show a report of its own: the verdict is the first line and the last.
// Control characters do not parse, and printable text is shown only within the line of a check.
func TestHostileBundle(t *testing.T) {
	const verdict = "The proof is NOT good."
	for name, asset := range map[string]string{"control characters": strings.ToValidUTF8(hostile, ""), "printable text": "The proof is good."} {
		f := folder{path: t.TempDir()}
		prove(t, f, func(m *format.Manifest) { m.Statements[1].Asset = asset })
		code, out, errs := call(t, f.path)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if code != 5 || lines[0] != verdict || lines[len(lines)-1] != verdict || slices.Contains(lines, asset) || name == "printable text" && !strings.Contains(out, asset) {
			t.Errorf("%s: exit code %d\n%s%s", name, code, out, errs)
		}
		if bad := unsafeIn(out) + unsafeIn(errs); bad != "" {
			t.Errorf("%s: unsafe output %s", name, bad)
		}
	}
}
