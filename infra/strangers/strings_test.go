package strangers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"
	"net/netip"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
	"tokenlaunch.example/service/pkg/testkit/telegramtest"
)

// hostile are JSON values that a third party sends where the document asks for something else.
func hostile() []string {
	quoted := func(text string) string { return `"` + text + `"` }
	values := []string{
		`""`, `" "`, `null`, `true`, `[]`, `{}`, `[["a"]]`, `{"a":{"b":[]}}`,
		`0`, `-0`, `-1`, `1.5`, `1e400`, `-1e400`, `1e-400`, `1E999999999`, `18446744073709551616`, `9007199254740993`,
		quoted(`\u0000`), quoted(`\u0001\u001f\u007f`), quoted(`\u001b[31m`), quoted(`\r\nX-Header: 1`), quoted(`\u202eabc\u2066`), quoted(`\u200b`), quoted(`\ufeff`),
		quoted(`\ufdd0\uffff`), quoted(`\ud800`), quoted(`\udc00\ud800`), quoted(`a\udbff`), quoted("\xff\xfe"), quoted("\xed\xa0\x80"), quoted("\xc0\xaf"),
		quoted(`${jndi:ldap://x}`), quoted(`{{7*7}}`), quoted(`../../etc/passwd`), quoted(`%00%ff`), quoted(`' OR 1=1 --`), quoted(`<script>`),
		quoted(strings.ToUpper(uuid.Nil.String())), quoted("{" + uuid.Nil.String() + "}"), quoted("urn:uuid:" + uuid.Nil.String()),
		quoted("ipfs://" + strings.Repeat("b", 300)), quoted(strings.Repeat("1", 44)), quoted(strings.Repeat("z", 44)), quoted("18446744073709551616"), quoted("1e9"), quoted("NaN"),
	}
	for _, n := range []int{1, 255, 256, 1025, 2049, 3000, 16 << 10, 60 << 10, 64 << 10} {
		values = append(values, quoted(strings.Repeat("1", n)), quoted(strings.Repeat("é", n/2)), strings.Repeat("9", n))
	}
	return append(values, quoted(strings.Repeat(`\u0001`, 2<<10)), strings.Repeat("[", 30<<10)+strings.Repeat("]", 30<<10))
}

// plain are the values as a path, a query or a header has them, within the gateway's limit
// for all of them together.
var plain = sync.OnceValue(func() []string {
	var list []string
	for _, value := range hostile() {
		var text string
		if json.Unmarshal([]byte(value), &text) != nil {
			text = value
		}
		if len(text) <= 10<<10 {
			list = append(list, text)
		}
	}
	return append(list, strings.Repeat("1", 9<<10))
})

// signature is a caller's signature for the sign-in.
var signature = solana.Signature{1, 2, 3, 63: 4}.String()

// maxLine is the maximum length of a line of the log.
const maxLine = 8 << 10

// TestNoHostileStringIsAFault puts arbitrary values into every field, path, query, header and form
// of every route: no response is 5xx, each matches the document, and no log line is long or
// contains a secret. The places come from the OpenAPI document, so a new field is tried without a
// change here.
func TestNoHostileStringIsAFault(t *testing.T) {
	w := newFixture(t)
	w.launch()
	document, err := docstest.Document()
	must.Do(t, err)
	functions := map[string][]route.Route{}
	for _, r := range route.All() {
		functions[r.Function] = append(functions[r.Function], r)
	}
	every := 3
	if nightly.Whole(t) {
		every = 1
	}
	var calls atomic.Int64
	t.Run("functions", func(t *testing.T) {
		for function, routes := range functions {
			t.Run(function, func(t *testing.T) {
				t.Parallel()
				var made atomic.Int64
				defer func() {
					if calls.Add(made.Load()); made.Load() < 150 {
						t.Errorf("made only %d requests", made.Load())
					}
				}()
				for i, r := range routes {
					s := stranger{T: t, fixture: w, route: r, operation: docstest.Operation(document, r.Operation), calls: &made, every: every, number: i}
					s.try()
					if i == 0 {
						s.tryHeaders() // which no route reads for itself
					}
				}
			})
		}
		t.Run("authorizer", func(t *testing.T) {
			t.Parallel()
			for _, value := range plain() {
				described, err := w.authorize(t.Context(), map[string]string{"authorization": value})
				if err != nil || described[apigw.AuthorizerWallet] != nil {
					t.Errorf("Authorization %.60q: %v, %v", value, described, err)
				}
				w.checkLog(t, "authorizer", "Authorization "+clip(value))
			}
		})
	})
	t.Logf("%d requests", calls.Load())
}

// stranger tries one route.
type stranger struct {
	*testing.T

	fixture   *fixture
	route     route.Route
	operation *openapi3.Operation
	calls     *atomic.Int64
	// By day, with every = 3, a place gets a third of the values, and a value is in a third of a
	// route's places. number is the route's number among those of its function.
	every, number int

	// cursor leads to a second page, and forms are of the values that have to be accepted.
	cursor string
	forms  map[string]form
}

// meetings returns the values, each with the places in which it is tried.
func (s stranger) meetings(values []string, places int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for v, value := range values {
			for place := range places {
				if (v+place+s.number)%s.every == 0 && !yield(value, place) {
					return
				}
			}
		}
	}
}

// try puts each value into each place of a request that is good otherwise.
func (s *stranger) try() {
	s.good()
	s.cursor = s.next()
	s.forms = s.beyond()
	s.tryDocument()
	content := s.operation.RequestBody
	form := content != nil && content.Value.Content["multipart/form-data"] != nil
	fields := s.fields()
	for value, place := range s.meetings(hostile(), len(fields)) {
		field := fields[place]
		s.call(field.String()+" is "+clip(value), s.withField(field, value))
	}
	for value, place := range s.meetings(plain(), len(s.operation.Parameters)) {
		p := s.operation.Parameters[place].Value
		s.call(p.In+" "+p.Name+" is "+clip(value), s.with(p, value))
	}
	if form {
		for _, value := range plain() {
			s.form(value)
		}
	}
	if s.route.MaxBody > 0 {
		for _, value := range hostile() {
			s.call("the body is "+clip(value), request{body: []byte(value)})
		}
		many := "{"
		for i := range 4000 {
			many += `"f` + strconv.Itoa(i) + `":0,`
		}
		s.call("4,000 fields", request{body: []byte(many + `"f":0}`)})
		s.call("a field twice", request{body: []byte(`{"name":1,"name":2}`)})
		s.call("a long name", request{body: []byte(`{"` + strings.Repeat("n", 50<<10) + `":1}`)})
		s.call("a name of control characters", request{body: []byte(`{"\u0000\u202e\ud800":1}`)})
		s.call("the limit", request{body: bytes.Repeat([]byte(" "), 64<<10)})
		s.call("more than the limit", request{body: bytes.Repeat([]byte(" "), 64<<10+1)})
	}
}

// good makes the unchanged request, which must succeed: otherwise the values would only be tried on
// its rejection.
func (s stranger) good() {
	q := request{body: s.body(nil, ""), query: s.query()}
	switch s.route.Operation {
	case "verifyChallenge", "uploadImage": // a challenge is used up; a picture comes in a form
		return
	case "replayDelivery": // updateWebhook gave the webhook a URL that has not answered its challenge
		return
	case "refreshTransaction": // of an order that is not over
		ordered, err := s.fixture.launched.Client.CreateUnsignedToken(s.Context(), walkthrough.Example(s.fixture.launched.Image.ImageURI, s.fixture.unused))
		must.Do(s.T, err)
		s.fixture.order = ordered.TransactionID
	case "testTelegram", "linkTelegram": // which was changed to everything
		group := "@crane_holders"
		_, err := s.fixture.launched.Client.ChangeDistributionSettings(s.Context(), s.fixture.mint.String(), client.SettingsChange{TelegramGroupID: &group})
		must.Do(s.T, err)
		must.Do(s.T, telegramtest.Link(s.Context(), consents.Store{Client: s.fixture.db, Table: s.fixture.env["LAUNCH_TABLE"]}, s.fixture.mint, group))
	}
	if status := s.call("nothing hostile", q); status >= http.StatusBadRequest && !slices.Contains(refusals[s.route.Operation], status) {
		s.Errorf("%s: a good request = %d", s.route.Pattern(), status)
	}
}

// query returns that of a good request.
func (s stranger) query() string {
	if s.route.Operation == "getPrice" {
		return "amount=1000000"
	}
	return ""
}

// tryHeaders puts each value where the document names nothing.
func (s stranger) tryHeaders() {
	names := []string{"content-type", "accept", "accept-encoding", "user-agent", "x-forwarded-for", "host", "cookie"}
	for value, place := range s.meetings(plain(), len(names)) {
		name := names[place]
		s.call(name+" is "+clip(value), request{headers: map[string]string{name: value}, body: s.body(nil, "")})
	}
	for _, value := range plain() {
		s.call("a query that is no parameter, "+clip(value), request{query: value, body: s.body(nil, "")})
	}
}

// form puts a value into each part of a form.
func (s stranger) form(value string) {
	picture, err := walkthrough.Picture()
	must.Do(s.T, err)
	for what, make := range map[string]func(*multipart.Writer) error{
		"the field's name": func(w *multipart.Writer) error {
			part, err := w.CreateFormFile(value, "a.png")
			if err == nil {
				_, err = part.Write(picture)
			}
			return err
		},
		"the file's name": func(w *multipart.Writer) error {
			part, err := w.CreateFormFile("image", value)
			if err == nil {
				_, err = part.Write([]byte("GIF89a"))
			}
			return err
		},
		"the file's type": func(w *multipart.Writer) error {
			part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="image"; filename="a"`}, "Content-Type": {value}})
			if err == nil {
				_, err = part.Write([]byte("\x89PNG\r\n\x1a\n"))
			}
			return err
		},
		"a disposition": func(w *multipart.Writer) error {
			_, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {value}})
			return err
		},
		"the file":    func(w *multipart.Writer) error { return w.WriteField("image", value) },
		"other field": func(w *multipart.Writer) error { return w.WriteField("other", value) },
	} {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		if err := errors.Join(make(w), w.Close()); err != nil {
			s.Fatal(err)
		}
		s.call(what+" is "+clip(value), request{body: body.Bytes(), headers: map[string]string{"content-type": w.FormDataContentType()}})
	}
	s.call("the boundary is "+clip(value), request{
		body: []byte("--" + value + "\r\n\r\nx\r\n--" + value + "--"), headers: map[string]string{"content-type": "multipart/form-data; boundary=" + value},
	})
}

// field is one that the document names.
type field struct {
	path   []string
	schema *openapi3.Schema
}

func (f field) name() string   { return f.path[len(f.path)-1] }
func (f field) String() string { return "field " + strings.Join(f.path, ".") }

// fields are those that the document names, and those within them.
func (s stranger) fields() (list []field) {
	if !s.takesJSON() {
		return nil
	}
	var walk func(schema *openapi3.Schema, above []string)
	walk = func(schema *openapi3.Schema, above []string) {
		for _, part := range slices.Concat(schema.AllOf, schema.OneOf, schema.AnyOf) {
			walk(part.Value, above)
		}
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			path := append(slices.Clone(above), name)
			list = append(list, field{path, schema.Properties[name].Value})
			walk(schema.Properties[name].Value, path)
		}
	}
	walk(s.operation.RequestBody.Value.Content["application/json"].Schema.Value, nil)
	return list
}

// body is that of a good request, with a value in a field.
func (s stranger) body(field []string, value string) []byte {
	if !s.takesJSON() {
		return nil
	}
	l := s.fixture.launched
	known := map[string]any{
		"tokenMint": s.fixture.mint.String(), "imageUri": l.Image.ImageURI, "walletId": s.fixture.unused, "wallet": l.Wallet.Address(),
		"transactionId": l.Prepared.TransactionID, "signedTransaction": l.Signed, "signature": signature,
	}
	good := map[string]any{}
	example, _ := s.operation.RequestBody.Value.Content["application/json"].Example.(map[string]any)
	for name, value := range example {
		if there, is := known[name]; is {
			value = there
		}
		good[name] = value
	}
	switch s.route.Operation {
	case "createWebhook":
		good["mints"] = []string{s.fixture.mint.String()}
	case "createUnsignedCurve": // these go together
		good["antiSniperFeePercent"], good["antiSniperMinutes"] = 50, 10
		if value == `"milliSOL"` {
			good["targetMarketCap"] = "100000"
		}
	case "createUnsignedLock":
		good["periodSeconds"] = 3600
	case "createUnsignedBuy": // an amount of one kind
		if slices.Equal(field, []string{"lamports"}) {
			delete(good, "tokenAmount")
		}
	}
	const place = "the-place-of-the-value"
	at := good
	for i, name := range field {
		if i == len(field)-1 {
			if at[name] = place; value == absent {
				delete(at, name)
			}
			break
		}
		below, _ := at[name].(map[string]any)
		if below == nil {
			below = map[string]any{}
			at[name] = below
		}
		at = below
	}
	text, err := json.Marshal(good)
	must.Do(s.T, err)
	return bytes.Replace(text, []byte(`"`+place+`"`), []byte(value), 1)
}

// there are values of parameters for which there is something.
func (s stranger) there() *strings.Replacer {
	l, mint := s.fixture.launched, s.fixture.mint.String()
	order := l.Prepared.TransactionID
	if s.route.Operation == "refreshTransaction" {
		order = s.fixture.order
	}
	hook := s.fixture.hook
	if s.route.Operation == "deleteWebhook" {
		hook = s.fixture.spare
	}
	return strings.NewReplacer("{webhookId}", hook, "{deliveryId}", s.fixture.delivery, "{mintAddress}", mint, "{tokenId}", mint, "{runId}", s.fixture.run,
		"{wallet}", l.Wallet.Address(), "{transactionId}", order, "{file}", "favicon.svg", "{sol}", "0.001")
}

// addresses counts those of the requests, because each has one that no other has.
var addresses atomic.Uint32

// request makes one of the creator's.
func (s stranger) request(q request) request {
	n := addresses.Add(1)
	q.from = netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}).String()
	if q.authorizer == nil {
		q.authorizer = map[string]any{apigw.AuthorizerWallet: s.fixture.launched.Wallet.Address()}
	}
	if q.path == "" {
		q.path = s.route.Path
	}
	q.path = s.there().Replace(q.path)
	headers := map[string]string{"content-type": "application/json", "authorization": "Bearer " + s.fixture.launched.Session.Token}
	maps.Copy(headers, q.headers)
	q.headers = headers
	return q
}

// call makes a request of the creator and judges the response and the log.
func (s stranger) call(what string, q request) int {
	s.Helper()
	s.calls.Add(1)
	other := q.path != ""
	q = s.request(q)
	if s.route.NeedsToken() {
		must.Do(s.T, s.fixture.forget(s.Context(), s.route))
	}
	status, header, body, err := s.fixture.send(s.Context(), s.route, q)
	place := fmt.Sprintf("%s, %s", s.route.Pattern(), what)
	must.Do(s.T, err)
	if ofNoRoute := other && (status == http.StatusNotFound || status == http.StatusMethodNotAllowed); !ofNoRoute {
		if err := judge(s.route.Operation, q.said, status, header, body); err != nil {
			s.Errorf("%s: %d %v; %.300s; log %.600s", place, status, err, body, s.fixture.output[s.route.Function].take())
		}
	}
	s.fixture.checkLog(s.T, s.route.Function, place)
	return status
}

// checkLog holds what a function has printed against what it was sent.
func (w *fixture) checkLog(t *testing.T, function, what string) {
	t.Helper()
	private := append(w.secrets(), w.launched.Session.Token, w.launched.Signed, signature)
	if err := judgeLog(w.output[function].take(), private); err != nil {
		t.Errorf("%s: %s logs %v", what, function, err)
	}
}

// judgeLog returns the lines of a log that are too long or have a secret.
func judgeLog(text string, private []string) error {
	var faults []error
	for line := range strings.Lines(text) {
		if len(line) > maxLine {
			faults = append(faults, fmt.Errorf("a line of %d bytes: %.300s", len(line), line))
		}
		for _, secret := range private {
			if secret != "" && strings.Contains(line, secret) {
				faults = append(faults, fmt.Errorf("a secret (%.12s…) in: %.600s", secret, line))
			}
		}
	}
	return errors.Join(faults...)
}

func clip(value string) string { return fmt.Sprintf("%.40q (%d bytes)", value, len(value)) }
