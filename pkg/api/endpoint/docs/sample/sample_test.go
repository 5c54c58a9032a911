package sample_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/sample"
)

// kite is an operation with everything that a sample can have.
var kite = sample.Operation{
	ID: "createUnsignedBuy", Method: "POST", Path: "/kites/{mint}", NeedsToken: true,
	Parameters: []sample.Parameter{{In: "path", Name: "mint", Example: "93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp"}},
	Body: sample.Object{
		{Name: "tokenAmount", Value: "1234567"},
		{Name: "slippagePercent", Value: json.RawMessage("4.35")},
	},
}

func client(t *testing.T) *sample.Client {
	t.Helper()
	c, err := sample.Read("../../../../client")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSamples(t *testing.T) {
	text := sample.Operation{ID: "createUnsignedCancel", Method: "POST", Path: "/x", Parameters: kite.Parameters, Body: sample.Object{{Name: "a", Value: "it's <b>\nso"}, {Name: "o", Value: sample.Object{{Name: "n", Value: json.RawMessage("1")}}}}}
	for _, test := range []struct {
		name      string
		operation sample.Operation
		language  int
		want      string
	}{
		{"a shell gets a body in one word", text, 0, `-d '{` + "\n" + `  "a": "it'\''s <b>\nso",` + "\n" + `  "o": {` + "\n" + `    "n": 1`},
		{"a shell gets a query in one word", sample.Operation{ID: "x", Method: "GET", Path: "/x", Parameters: []sample.Parameter{{In: "query", Name: "q", Example: "a b"}}}, 0, "curl 'https://address.invalid/x?q=a+b'"},
		{"a token is a variable", kite, 0, `-H "Authorization: Bearer $TOKEN"`},
		{"TypeScript has its own literals", text, 1, "  a: \"it's <b>\\nso\",\n  o: {\n    n: 1,\n  },\n})"},
		{"TypeScript has parameters and fields in one object", kite, 1, "api.createUnsignedBuy({\n  mint: '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp',\n  tokenAmount: '1234567',"},
		{"Go has the client's types", kite, 2, "c.CreateUnsignedBuy(context.Background(), solana.MustPublicKeyFromBase58(\"93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp\"), client.CurvePurchase{\n\t\tTokenAmount:     client.BaseUnits(1_234_567),\n\t\tSlippagePercent: new(client.MustPercent(\"4.35\")),\n"},
		{"Go signs in where that is needed", kite, 2, "client.WithSigner(wallet)"},
		{"Go calls what the client does not by HTTP", sample.Operation{ID: "flyKite", Method: "GET", Path: "/kites"}, 2, `http.Get("https://address.invalid/kites")`},
	} {
		samples, err := sample.Of(test.operation, client(t))
		if err != nil {
			t.Errorf("sample.Of(%s) = %v", test.name, err)
			continue
		}
		if got := samples[test.language].Source; !strings.Contains(got, test.want) {
			t.Errorf("%s: no %s in\n%s", test.name, test.want, got)
		}
	}
}

func TestSamplesRefuse(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*sample.Operation)
		want   string
	}{
		"a field that the client does not have": {func(o *sample.Operation) { o.Body = sample.Object{{Name: "colour", Value: "red"}} }, "no field for colour"},
		"an invalid amount":                     {func(o *sample.Operation) { o.Body = sample.Object{{Name: "tokenAmount", Value: "ten"}} }, "ten is no whole number"},
		"a number where a text is":              {func(o *sample.Operation) { o.Body = sample.Object{{Name: "tokenAmount", Value: json.RawMessage("1")}} }, "no Amount is written as 1"},
		"a missing parameter":                   {func(o *sample.Operation) { o.Parameters = nil }, "takes more than the operation has"},
		"a method that only GET has by HTTP":    {func(o *sample.Operation) { o.ID = "flyKite" }, "flyKite"},
	} {
		operation := kite
		test.change(&operation)
		if _, err := sample.Of(operation, client(t)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("sample.Of(), %s: %v, want an error with %q", name, err, test.want)
		}
	}
	if _, err := sample.Read(t.TempDir()); err == nil {
		t.Error("a folder without a client is accepted")
	}
}
