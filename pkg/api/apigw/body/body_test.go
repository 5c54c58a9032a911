package body_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// found describes the faults in the form "field: code; field: code".
func found(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Kind() != apperr.Invalid || e.Code.String() != "validation_failed" || e.Detail == "" {
		t.Fatalf("error %v is not a failed validation", err)
	}
	var codes []string
	for _, f := range e.Fields {
		if f.Message == "" {
			t.Errorf("no message for %s", f.Field)
		}
		codes = append(codes, f.Field+": "+f.Code.String())
	}
	return strings.Join(codes, "; ")
}

func parse(t *testing.T, text string) *body.Fields {
	t.Helper()
	f, err := body.Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%s) = %v", text, err)
	}
	return f
}

// many creates an object of n fields.
func many(n int) string {
	var fields []string
	for i := range n {
		fields = append(fields, fmt.Sprintf(`"f%d":1`, i))
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func TestUnknownFieldsResponseIsBounded(t *testing.T) {
	if got := strings.Count(found(t, parse(t, many(100)).Err()), "unknown_field"); got != 100 {
		t.Errorf("%d unknown fields named", got)
	}
}

func TestParseRejectsNonObjects(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, text := range []string{
		"{" + strings.Repeat(`"a":1,`, 3) + "}", many(101), "", " ", "null", "1", `"a"`, "[]", "[{}]", "{", "}", "{}}", "{} {}", "{}x", "{}null", `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`,
		`{a:1}`, `{'a':1}`, `{"a":01}`, `{"a":+1}`, `{"a":.5}`, `{"a":5.}`, `{"a":NaN}`, `{"a":Infinity}`, `{"a":0x10}`, `{"a":1_000}`, `{"a":tru}`, `{"a":"b}`,
		"{\"a\":\"\x01\"}", "{\"a\":\"\xff\"}", "{\"\xc3\x28\":1}", "\xef\xbb\xbf{}", `{"a":1} // note`, `{"a":` + deep + `}`, "name=value",
	} {
		_, err := body.Parse([]byte(text))
		if got := found(t, err); got != "body: invalid_format" {
			t.Errorf("Parse(%.40q): error fields %q, want body: invalid_format", text, got)
		}
	}
}

func TestFields(t *testing.T) {
	text := func(f *body.Fields) any { return f.String("x") }
	optional := func(f *body.Fields) any { v, ok := f.OptionalString("x"); return []any{v, ok} }
	percent := func(f *body.Fields) any { return f.Percent("x", 0, 10_000) }
	share := func(f *body.Fields) any { return f.Percent("x", 100, 10_000) }
	amount := func(f *body.Fields) any { return f.Amount("x") }
	maybeAmount := func(f *body.Fields) any { v, ok := f.OptionalAmount("x"); return []any{v, ok} }
	maybe := func(f *body.Fields) any { v, ok := f.OptionalBool("x"); return []any{v, ok} }
	days := func(f *body.Fields) any { return f.Int("x", 1, 30) }
	maybeDays := func(f *body.Fields) any { v, ok := f.OptionalInt("x", -5, 30); return []any{v, ok} }
	object := func(f *body.Fields) any {
		var a string
		ok := f.OptionalObject("x", func(inner *body.Fields) { a = inner.String("a") })
		return []any{a, ok}
	}
	maybePercent := func(f *body.Fields) any { v, ok := f.OptionalPercent("x", 0, 10_000); return []any{v, ok} }
	tests := []struct {
		name  string
		text  string
		ask   func(*body.Fields) any
		value string
		wrong string
	}{
		{"string", `{"x":"a b"}`, text, `"a b"`, ""},
		{"string with escapes", `{"x":"\u00e9\n\ud83d\ude00"}`, text, `"é\n😀"`, ""},
		{"string of spaces is a string", `{"x":" "}`, text, `" "`, ""},
		{"string absent", `{}`, text, `""`, "x: required"},
		{"string null", `{"x":null}`, text, `""`, "x: required"},
		{"string empty", `{"x":""}`, text, `""`, "x: required"},
		{"string number", `{"x":1}`, text, `""`, "x: invalid_type"},
		{"string object", `{"x":{"a":1}}`, text, `""`, "x: invalid_type"},
		{"names are exact", `{"X":"a"}`, text, `""`, "x: required; X: unknown_field"},
		{"optional string", `{"x":"a"}`, optional, `["a",true]`, ""},
		{"optional string absent", `{}`, optional, `["",false]`, ""},
		{"optional string null", `{"x":null}`, optional, `["",false]`, ""},
		{"optional string empty", `{"x":""}`, optional, `["",false]`, ""},
		{"optional string wrong", `{"x":false}`, optional, `["",false]`, "x: invalid_type"},

		{"percent", `{"x":5}`, percent, "500", ""},
		{"percent, one decimal", `{"x":2.5}`, percent, "250", ""},
		{"percent, two decimals", `{"x":0.01}`, percent, "1", ""},
		{"percent, 0.29 exactly", `{"x":0.29}`, percent, "29", ""},
		{"percent, zeros at the end", `{"x":5.5000}`, percent, "550", ""},
		{"percent, highest", `{"x":100.00}`, percent, "10000", ""},
		{"percent, zero", `{"x":0}`, percent, "0", ""},
		{"percent, minus zero", `{"x":-0.0}`, percent, "0", ""},
		{"percent, too high", `{"x":100.01}`, percent, "0", "x: invalid_percentage"},
		{"percent, far too high", `{"x":99999999999999999999999}`, percent, "0", "x: invalid_percentage"},
		{"percent, negative", `{"x":-0.5}`, percent, "0", "x: invalid_percentage"},
		{"percent, three decimals", `{"x":0.005}`, percent, "0", "x: invalid_percentage"},
		{"percent, exponent", `{"x":1e1}`, percent, "0", "x: invalid_format"},
		{"percent, huge exponent", `{"x":1E999999999}`, percent, "0", "x: invalid_format"},
		{"percent, string", `{"x":"5"}`, percent, "0", "x: invalid_type"},
		{"percent, empty string", `{"x":""}`, percent, "0", "x: invalid_type"},
		{"percent, absent", `{}`, percent, "0", "x: required"},
		{"percent, null", `{"x":null}`, percent, "0", "x: required"},
		{"percent, too low", `{"x":0.99}`, share, "0", "x: invalid_percentage"},
		{"percent, lowest", `{"x":1}`, share, "100", ""},
		{"optional percent absent", `{}`, maybePercent, "[0,false]", ""},
		{"optional percent zero", `{"x":0}`, maybePercent, "[0,true]", ""},

		{"amount", `{"x":"1000000"}`, amount, "1000000", ""},
		{"amount zero", `{"x":"0"}`, amount, "0", ""},
		{"amount highest", `{"x":"18446744073709551615"}`, amount, "18446744073709551615", ""},
		{"amount too high", `{"x":"18446744073709551616"}`, amount, "0", "x: out_of_range"},
		{"amount far too high", `{"x":"99999999999999999999999999"}`, amount, "0", "x: out_of_range"},
		{"amount with leading zero", `{"x":"01"}`, amount, "0", "x: invalid_format"},
		{"amount of zeros", `{"x":"00"}`, amount, "0", "x: invalid_format"},
		{"amount with plus", `{"x":"+1"}`, amount, "0", "x: invalid_format"},
		{"amount negative", `{"x":"-1"}`, amount, "0", "x: invalid_format"},
		{"amount with decimals", `{"x":"1.0"}`, amount, "0", "x: invalid_format"},
		{"amount with a space", `{"x":" 1"}`, amount, "0", "x: invalid_format"},
		{"amount with underscore", `{"x":"1_0"}`, amount, "0", "x: invalid_format"},
		{"amount hexadecimal", `{"x":"0x1"}`, amount, "0", "x: invalid_format"},
		{"amount in other digits", `{"x":"١"}`, amount, "0", "x: invalid_format"},
		{"amount as a number", `{"x":1}`, amount, "0", "x: invalid_type"},
		{"amount absent", `{}`, amount, "0", "x: required"},
		{"amount empty", `{"x":""}`, amount, "0", "x: required"},
		{"optional amount empty", `{"x":""}`, maybeAmount, "[0,false]", ""},
		{"optional amount", `{"x":"7"}`, maybeAmount, "[7,true]", ""},

		{"optional bool", `{"x":false}`, maybe, "[false,true]", ""},
		{"optional bool null", `{"x":null}`, maybe, "[false,false]", ""},

		{"integer", `{"x":30}`, days, "30", ""},
		{"integer with a zero fraction", `{"x":6.0}`, days, "6", ""},
		{"integer with a fraction", `{"x":6.5}`, days, "0", "x: invalid_format"},
		{"integer too low", `{"x":0}`, days, "0", "x: out_of_range"},
		{"integer too high", `{"x":31}`, days, "0", "x: out_of_range"},
		{"integer far too high", `{"x":9223372036854775808}`, days, "0", "x: out_of_range"},
		{"integer with exponent", `{"x":3e0}`, days, "0", "x: invalid_format"},
		{"integer as text", `{"x":"3"}`, days, "0", "x: invalid_type"},
		{"integer in an array", `{"x":[3]}`, days, "0", "x: invalid_type"},
		{"integer absent", `{}`, days, "0", "x: required"},
		{"optional integer", `{"x": -5 }`, maybeDays, "[-5,true]", ""},
		{"optional integer absent", `{}`, maybeDays, "[0,false]", ""},

		{"optional object", `{"x":{"a":"b"}}`, object, `["b",true]`, ""},
		{"optional object absent", `{}`, object, `["",false]`, ""},
		{"optional object null", `{"x":null}`, object, `["",false]`, ""},
		{"optional object, a text", `{"x":"{}"}`, object, `["",false]`, "x: invalid_type"},
		{"optional object, an array", `{"x":[{"a":"b"}]}`, object, `["",false]`, "x: invalid_type"},
		{"optional object, empty", `{"x":{}}`, object, `["",true]`, "x.a: required"},
		{"optional object, bad inside", `{"x":{"a":1,"c":2,"c":3,"d":4},"y":5}`, object, `["",true]`, "x.c: duplicate_field; x.a: invalid_type; x.d: unknown_field; y: unknown_field"},

		{"twice", `{"x":"a","x":"a"}`, text, `""`, "x: duplicate_field"},
		{"twice, by an escape", `{"x":"a","\u0078":"a"}`, text, `""`, "x: duplicate_field"},
		{"unknown twice", `{"x":"a","y":1,"y":2}`, text, `"a"`, "y: duplicate_field"},
		{"unknown", `{"x":"a","z":{"x":1},"y":[]}`, text, `"a"`, "z: unknown_field; y: unknown_field"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := parse(t, test.text)
			value, err := json.Marshal(test.ask(f))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(string(value)); got != test.value {
				t.Errorf("value %s, want %s", got, test.value)
			}
			for range 2 { // asking again finds nothing new
				if got := found(t, f.Err()); got != test.wrong {
					t.Errorf("wrong: %q, want %q", got, test.wrong)
				}
			}
		})
	}
}

func TestEverythingWrongIsFoundAtOnce(t *testing.T) {
	f := parse(t, `{"name":7,"fee":101,"supply":5,"extra":1,"on":"yes","days":2.5}`)
	f.String("name")
	f.String("symbol")
	f.Percent("fee", 0, 10_000)
	f.Amount("supply")
	f.OptionalBool("on")
	f.Int("days", 1, 30)
	f.Reject("uri", apperr.CodeUnknownImage, "We have no such image.")
	f.RejectAll(
		apperr.Field{Field: "name", Code: apperr.CodeOutOfRange, Message: "Later finds on a bad field are dropped."},
		apperr.Field{Field: "wallet", Code: apperr.CodeUnknownWallet, Message: "We have no such wallet."},
	)
	want := "name: invalid_type; symbol: required; fee: invalid_percentage; supply: invalid_type; on: invalid_type; days: invalid_format; uri: unknown_image; wallet: unknown_wallet; extra: unknown_field"
	if got := found(t, f.Err()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestHas(t *testing.T) {
	f := parse(t, `{"there":1,"empty":"","none":null}`)
	for name, want := range map[string]bool{"there": true, "empty": true, "none": true, "absent": false} {
		if got := f.Has(name); got != want {
			t.Errorf("Has(%s) = %v", name, got)
		}
	}
	if err := f.Err(); err != nil {
		t.Errorf("after reading every field: %v", err)
	}
}

func TestRead(t *testing.T) {
	request := func(contentType string, r io.Reader) *http.Request {
		out := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", r)
		out.Header.Set("Content-Type", contentType)
		return out
	}
	for _, contentType := range []string{"", "application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded"} {
		f, err := body.Read(request(contentType, strings.NewReader(`{"x":"a"}`)))
		if err != nil || f.String("x") != "a" {
			t.Errorf("Read with Content-Type %q: %v, want x = \"a\"", contentType, err)
		}
	}
	r := request("", strings.NewReader(`{"x":"a"}`))
	r.Body = http.MaxBytesReader(httptest.NewRecorder(), r.Body, 8)
	if _, err := body.Read(r); !errors.As(err, new(*http.MaxBytesError)) {
		t.Errorf("over the limit: %v", err)
	}
	broken := errors.New("broken")
	if _, err := body.Read(request("", failing{broken})); !errors.Is(err, broken) || apperr.KindOf(err) != apperr.Internal {
		t.Errorf("a body that breaks off: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// FuzzParse tests that encoding/json accepts as an object what Parse accepts, and that every read
// ends in a value or in an error of a named field.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":"1","b":2.50,"c":true,"d":null}`, `{"a":{"a":[1,{}]},"a":1}`, `{"a":1} 2`, "{\"a\":\"\xff\"}", `{"a":-0e-0}`, `{"":""}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fields, err := body.Parse(text)
		var object map[string]json.RawMessage
		standard := json.Unmarshal(text, &object)
		if err != nil {
			if apperr.KindOf(err) != apperr.Invalid {
				t.Fatalf("Parse() = %v, want an error of kind Invalid", err)
			}
			return
		}
		if standard != nil {
			t.Fatalf("accepted input that encoding/json rejects: %v", standard)
		}
		for name := range object {
			for _, ask := range []func(*body.Fields) bool{
				func(f *body.Fields) bool { _, ok := f.OptionalString(name); return ok },
				func(f *body.Fields) bool { _, ok := f.OptionalAmount(name); return ok },
				func(f *body.Fields) bool { _, ok := f.OptionalInt(name, -9, 9); return ok },
				func(f *body.Fields) bool { bps, ok := f.OptionalPercent(name, 0, 100); return ok && bps <= 100 },
				func(f *body.Fields) bool { _, ok := f.OptionalBool(name); return ok },
			} {
				fresh, err := body.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				ok, wrong := ask(fresh), strings.Contains(found(t, fresh.Err()), name+": ")
				raw := string(object[name])
				if absent := raw == "null" || raw == `""`; !ok && !wrong && !absent {
					t.Fatalf("%q = %s is neither a value nor wrong", name, raw)
				}
			}
		}
		_ = fields.Err()
	})
}

// Nesting and names are bounded, and the bounds are where the documents say.
func TestDeepBodies(t *testing.T) {
	deep := func(n int) []byte {
		return []byte(`{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`)
	}
	if _, err := body.Parse(deep(10_000)); err != nil {
		t.Errorf("10,000 deep: %v", err)
	}
	if _, err := body.Parse(deep(10_001)); apperr.KindOf(err) != apperr.Invalid {
		t.Errorf("10,001 deep: %v", err)
	}
	names := func(n int) []byte {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`"f%d":1`, i)
		}
		return []byte("{" + strings.Join(list, ",") + "}")
	}
	if _, err := body.Parse(names(100)); err != nil {
		t.Errorf("100 fields: %v", err)
	}
	if _, err := body.Parse(names(101)); apperr.KindOf(err) != apperr.Invalid {
		t.Errorf("101 fields: %v", err)
	}
}
