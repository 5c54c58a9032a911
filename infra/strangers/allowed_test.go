package strangers_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/testkit/docstest"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// verdict is the document's of a request.
type verdict int

// The verdicts. A request of which no schema decides has none.
const (
	unjudged verdict = iota
	allowed
	forbidden
)

// form reports whether the service has to accept a value: of a field as JSON, of a parameter as text.
type form func(value string) bool

func like(pattern string) form { return regexp.MustCompile("^(" + pattern + ")$").MatchString }

// beyond returns the forms of the fields and parameters of which the document allows more than the
// service: a schema knows neither which images, wallets and times exist nor what two fields add up
// to. A value of another form that the document allows can be rejected. A name after an operation
// is of that operation.
func (s stranger) beyond() map[string]form {
	l, unset := s.fixture.launched, `|""|null`
	addresses := form(func(value string) bool {
		return !strings.Contains(value, "11111111") && !strings.Contains(value, "zzzzzzzz")
	})
	link, amount, part := like(`"https://[^"]+"`+unset), like(`"[0-9]{1,19}"`+unset), like(`[0-9](\.[0-9]+)?|null|`)
	return map[string]form{
		"changeDistributionSettings transferFeePercent": like("|null"), // the token's tax is locked
		// A minimum for holders, once raised, binds these.
		"changeDistributionSettings rewardToken":               like(`"SOL"` + unset),
		"changeDistributionSettings minimumHoldingRequirement": like(`"[01]"` + unset),
		"createUnsignedBuy lamports":                           like(`"[1-9][0-9]{3,9}"`),
		"buyByAction sol":                                      like(`0\.0{0,2}[1-9][0-9]{0,5}`), // what the curve has
		"getPrice amount":                                      like(`[1-9][0-9]{0,11}`),
		"getPrice lamports":                                    like(`[1-9][0-9]{3,9}`),
		"submitToken transactionId":                            like(`"` + l.Prepared.TransactionID + `"`),

		"antiSniperFeePercent": like(`([2-9]|[1-4][0-9]|50)(\.[0-9]+)?`), "antiSniperMinutes": like(`[0-9]+`), // one without the other is refused
		"burnPercent": part, "developerFeePercent": part, // together 100 at most
		"account": addresses, "creator": addresses, "developerWallet": addresses, "mints": addresses, "tokenMint": addresses, "wallet": addresses, // 32 bytes
		"cursor":      like(regexp.QuoteMeta(s.cursor)),
		"effectiveAt": like("null" + unset), "version": like("null|"), "orderedByCreator": like("false|null|"), // of other settings, or of the creator's order
		"guardian":                  like("null" + unset), // this stack has no guardian
		"changeDelay":               like("null" + unset), // a delay binds the other fields, and can only be raised
		"minimumHoldersPercent":     like("null|"),        // a minimum binds the other fields, and can only be raised
		"initialBuyLamports":        like(`"0"|"[1-9][0-9]{6,9}"` + unset),
		"minimumHoldingRequirement": amount, "solAmount": amount, "supply": amount, // 64 bits
		"name": like(`"[!#-\[\]-~]([ !#-\[\]-~]*[!#-\[\]-~])?"`), "symbol": like(`"[!#-\[\]-~]([ !#-\[\]-~]*[!#-\[\]-~])?"`), // a character that Go's Unicode version does not have is refused
		"periodSeconds": like("[1-9][0-9]{0,4}"), "releases": like("[2-9]|[0-9]{2,4}"), // the last release is within ten years
		"q":                 like("[ -~]*"),
		"rewardToken":       like(`"SOL"|"` + s.fixture.mint.String() + `"` + unset),
		"signedTransaction": like(regexp.QuoteMeta(`"` + l.Signed + `"`)),
		"targetMarketCap":   like(`"?[1-9][0-9]{0,2}"?`),
		"telegram":          link, "twitter": link, "url": link, "website": link,
		"tokenAmount": like(`"[1-9][0-9]{8,11}"`), // what the curve has
		"walletId":    like(`"` + s.fixture.unused + `"`),
	}
}

// next returns a cursor that leads to a second page of the operation's list.
func (s stranger) next() string {
	soon := time.Now().Add(25 * time.Hour)
	mint := s.fixture.mint.String()
	return base64.RawURLEncoding.EncodeToString([]byte(map[string]string{
		"listSettingsChanges": fmt.Sprintf("%019d", 1000),
		"listRuns":            strconv.FormatInt(soon.Unix(), 10),
		"getBurns":            fmt.Sprintf("%012d#%s", soon.Unix(), s.fixture.run),
		"getHolderLedger":     strings.Repeat("0", 64),
		"listHolderPayments":  fmt.Sprintf("%d-%s-0", soon.Unix(), strings.Repeat("0", 64)),
		"listCurves":          fmt.Sprintf("%015d#%s", soon.UnixMilli(), mint),
		"listTrades":          "0000000000000000002",
		"listCandles":         fmt.Sprintf("%012d", soon.Unix()),
		"listFeatured":        fmt.Sprintf("%015d#%s", soon.UnixMilli(), mint),
		"listDeliveries":      "ffffffff-ffff-4fff-bfff-ffffffffffff",
	}[s.route.Operation]))
}

// judge returns how a response to a request differs from the document: the operation has no such
// answer, the response is a fault, a request that the document allows is rejected, or a request
// that the document forbids is accepted.
func judge(operation string, said verdict, status int, header http.Header, body []byte) error {
	var faults []error
	if err := docstest.Check(operation, status, header, body); err != nil {
		faults = append(faults, err)
	}
	switch {
	case status >= http.StatusInternalServerError:
		faults = append(faults, errors.New("a fault of the service"))
	case said == forbidden && status < http.StatusBadRequest:
		faults = append(faults, errors.New("the document forbids the request, and the service accepts it"))
	case said == allowed && status >= http.StatusBadRequest && !slices.Contains(refusals[operation], status) && status != http.StatusNotFound:
		faults = append(faults, errors.New("the document allows the request, and the service refuses it"))
	}
	if status >= http.StatusBadRequest && len(body) > 64<<10 {
		faults = append(faults, fmt.Errorf("the refusal has %d bytes", len(body)))
	}
	return errors.Join(faults...)
}

// refusals are the answers to requests that are as the document allows: a challenge works once, a
// wallet has five webhooks at most, an order ends with the creator's next one, a claim is of the
// caller's wallet and one at a time, a chat is linked to the caller's wallet. Any address can be that of no token.
var refusals = map[string][]int{
	"verifyChallenge":      {http.StatusUnauthorized},
	"createWebhook":        {http.StatusConflict},
	"refreshTransaction":   {http.StatusBadRequest},
	"claimRewards":         {http.StatusForbidden, http.StatusConflict},
	"linkHolderTelegram":   {http.StatusForbidden},
	"unlinkHolderTelegram": {http.StatusForbidden},
	"listHolderPayments":   {http.StatusBadRequest}, // a text of 44 letters that is no address
	// No amount is owed, and the message is not signed.
	"claimByAction":        {http.StatusBadRequest, http.StatusConflict},
	"confirmClaimByAction": {http.StatusBadRequest, http.StatusUnauthorized, http.StatusConflict},
	"orderHandover":        {http.StatusBadRequest, http.StatusConflict}, // a signed text
	"cancelHandover":       {http.StatusConflict},                        // nothing is ordered
}

// ofBody returns the document's verdict of a body.
func (s stranger) ofBody(body []byte) verdict {
	var value any
	if int64(len(body)) > s.route.MaxBody || !utf8.Valid(body) || json.Unmarshal(body, &value) != nil {
		return forbidden
	}
	return s.of(s.operation.RequestBody.Value.Content["application/json"].Schema.Value, value)
}

// ofParameter returns the document's verdict of a parameter as a request has the parameter.
func (s stranger) ofParameter(p *openapi3.Parameter, text string) verdict {
	schema := p.Schema.Value
	if text == "" && p.In == openapi3.ParameterInQuery {
		return unjudged // as without the parameter
	}
	var value any = text
	switch {
	case schema.Type.Is(openapi3.TypeInteger):
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return forbidden
		}
		value = float64(number)
	case schema.Type.Is(openapi3.TypeArray):
		var list []any
		for item := range strings.SplitSeq(text, ",") {
			list = append(list, item)
		}
		value = list
	}
	return s.of(schema, value)
}

func (s stranger) of(schema *openapi3.Schema, value any) verdict {
	document, err := docstest.Document()
	must.Do(s.T, err)
	if document.ValidateSchemaJSON(schema, value, openapi3.EnableFormatValidation()) != nil {
		return forbidden
	}
	return allowed
}

// within withdraws an approval that the service does not give: that of a value beyond the schema.
func (s stranger) within(said verdict, name, value string) verdict {
	form := s.forms[s.route.Operation+" "+name]
	if form == nil {
		form = s.forms[name]
	}
	// The document only has the string, which generators can express; the service accepts numbers
	// too.
	if said == forbidden && name == "targetMarketCap" && !strings.HasPrefix(value, `"`) {
		return unjudged
	}
	if said == allowed && (form != nil && !form(value) || value == "1e-400") { // which is 0 for the schema
		return unjudged
	}
	return said
}

// draw returns values about a schema, as JSON: its words, its bounds and what is just past them,
// other types, and strings of the forms that the API knows. The schema decides which are allowed.
func (s stranger) draw(schema *openapi3.Schema) (values []string) {
	l := s.fixture.launched
	add := func(list ...any) {
		for _, value := range list {
			text, err := json.Marshal(value)
			must.Do(s.T, err)
			if !slices.Contains(values, string(text)) {
				values = append(values, string(text))
			}
		}
	}
	add(schema.Enum...)
	add(nil, true, false, "", 0, 1)
	if schema.Type.Includes(openapi3.TypeNumber) || schema.Type.Includes(openapi3.TypeInteger) {
		step := 1.0
		if schema.MultipleOf != nil {
			step = *schema.MultipleOf
		}
		for _, bound := range []*float64{schema.Min, schema.Max} {
			if bound != nil {
				for _, n := range []float64{-step, -step / 10, 0, step / 10, step} {
					add(math.Round((*bound+n)*1e6) / 1e6)
				}
			}
		}
	}
	if schema.Type.Includes(openapi3.TypeString) {
		now := time.Now().UTC()
		add("1", "1000000000", "18446744073709551615", "99999999999999999999", "SOL", "-1001", "@crane_holders", "https://crane.example/a?b=c", "x",
			s.fixture.mint.String(), l.Wallet.Address(), usdc, l.Image.ImageURI, s.fixture.unused, uuid.NewString(), signature, l.Prepared.TransactionID,
			now.Add(24*time.Hour).Format("2006-01-02T15:04:05.000Z"), now.Format("2006-01-02"), "run.settled")
		for _, n := range []uint64{schema.MinLength, max(schema.MinLength, 1) - 1} {
			add(strings.Repeat("x", int(n)))
		}
		if schema.MaxLength != nil {
			limit := int(*schema.MaxLength)
			add(strings.Repeat("x", limit), strings.Repeat("é", limit), strings.Repeat("😀", limit), strings.Repeat("x", limit+1))
		}
	}
	if schema.Items != nil {
		for _, item := range s.draw(schema.Items.Value) {
			add([]json.RawMessage{json.RawMessage(item)}, slices.Repeat([]json.RawMessage{json.RawMessage(item)}, 2))
		}
		if schema.MaxItems != nil {
			add(slices.Repeat([]any{"x"}, int(*schema.MaxItems)+1))
		}
	}
	return values
}

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// tryDocument makes requests that the document allows and requests that it forbids: around a good
// one, each field and each parameter with values drawn of its schema, and without each.
func (s stranger) tryDocument() {
	for _, field := range s.fields() {
		for _, value := range append(s.draw(field.schema), absent) {
			s.call(field.String()+" is "+clip(value), s.withField(field, value))
		}
	}
	if s.takesJSON() {
		said := forbidden
		if strings.Contains(s.operation.RequestBody.Value.Content["application/json"].Schema.Value.Description, "Further fields are ignored") {
			said = unjudged // as the specification of Solana Actions wants
		}
		s.call("a field that is not described", request{body: s.body([]string{"x-unknown"}, "1"), said: said})
	}
	for _, described := range s.operation.Parameters {
		p := described.Value
		for _, value := range s.draw(p.Schema.Value) {
			var text string
			if json.Unmarshal([]byte(value), &text) != nil {
				text = strings.NewReplacer("[", "", "]", "", `"`, "").Replace(value)
			}
			if text != "" { // a path without is another one
				s.call(p.In+" "+p.Name+" is "+clip(text), s.with(p, text))
			}
		}
		if p.Name == "cursor" {
			s.call("a cursor", s.with(p, s.cursor))
		}
	}
	if !s.route.NeedsToken() {
		return
	}
	for value, code := range map[string]string{"": "missing_token", "Bearer nonsense": "invalid_token", "Bearer " + s.fixture.launched.Session.Token + "x": "invalid_token"} {
		described, err := s.fixture.authorize(s.Context(), map[string]string{"authorization": value})
		must.Do(s.T, err)
		if described == nil {
			described = map[string]any{}
		}
		q := s.request(request{body: s.body(nil, ""), authorizer: described})
		status, header, body, err := s.fixture.send(s.Context(), s.route, q)
		must.Do(s.T, err)
		err = judge(s.route.Operation, forbidden, status, header, body)
		if err != nil || status != http.StatusUnauthorized || !strings.Contains(string(body), `"code":"`+code+`"`) {
			s.Errorf("%s, Authorization is %s: %d %s, %v; want 401 %s", s.route.Pattern(), clip(value), status, body, err, code)
		}
	}
}

// absent marks a field without a value.
const absent = ""

// withField puts a value into a field.
func (s stranger) withField(f field, value string) request {
	body := s.body(f.path, value)
	return request{body: body, said: s.within(s.ofBody(body), f.name(), value)}
}

// with puts a value into a parameter.
func (s stranger) with(p *openapi3.Parameter, value string) request {
	q := request{body: s.body(nil, ""), headers: map[string]string{}, query: s.query(), said: s.within(s.ofParameter(p, value), p.Name, value)}
	if q.said == allowed && s.route.Operation == "uploadImage" {
		q.said = unjudged // there is no picture
	}
	switch p.In {
	case openapi3.ParameterInPath:
		q.path = strings.ReplaceAll(s.route.Path, "{"+p.Name+"}", value)
	case openapi3.ParameterInQuery:
		q.query = url.Values{p.Name: {value}}.Encode()
	case openapi3.ParameterInHeader:
		if q.said == allowed { // a key is of one request
			value = uuid.NewString() + value[min(len(value), 36):]
		}
		q.headers[strings.ToLower(p.Name)] = value
	}
	return q
}

// takesJSON reports whether the operation has a body of JSON.
func (s stranger) takesJSON() bool {
	return s.operation.RequestBody != nil && s.operation.RequestBody.Value.Content["application/json"] != nil
}
