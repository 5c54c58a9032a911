package agent

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tokenlaunch.example/service/pkg/client"
)

// wallet is asked for signatures, and its key is lost.
type wallet struct {
	address solana.PublicKey
	signs   int
}

func (w *wallet) PublicKey() solana.PublicKey { return w.address }
func (*wallet) SignMessage(context.Context, []byte) (solana.Signature, error) {
	return solana.Signature{1}, nil
}

func (w *wallet) SignTransaction(context.Context, []byte) (solana.Signature, error) {
	w.signs++
	return solana.Signature{1}, nil
}

// desk is a service with one launch, and the paths that were requested of it.
type desk struct {
	asked client.TokenCreation
	to    client.DistributionWallet
	given client.UnsignedToken
	owner wallet
	paths []string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	content, err := os.ReadFile("../testdata/asked.json")
	if err != nil {
		t.Fatal(err)
	}
	type vector struct {
		Name   string
		Wallet solana.PublicKey
		Asked  struct {
			Launch client.TokenCreation
			To     client.DistributionWallet
		}
		Given json.RawMessage
	}
	var list []vector
	if err := json.Unmarshal(content, &list); err != nil {
		t.Fatal(err)
	}
	first := list[slices.IndexFunc(list, func(v vector) bool { return v.Name == "launch" })]
	d := &desk{asked: first.Asked.Launch, to: first.Asked.To, owner: wallet{address: first.Wallet}}
	if err := json.Unmarshal(first.Given, &d.given); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.paths = append(d.paths, r.URL.Path)
	token := client.Token{Status: client.TokenConfirmed, MintAddress: d.given.MintKeypair.PublicKey, Decimals: 6}
	answers := map[string]any{
		"/tokens/generate-distribution-wallet": d.to,
		"/tokens/validate":                     client.ValidToken{Valid: true, Cost: d.given.Cost},
		"/tokens/create-unsigned":              d.given,
	}
	answer := answers[r.URL.Path]
	switch {
	case answer != nil:
	case strings.HasPrefix(r.URL.Path, "/launchpad/"):
		answer = map[string]any{"tokenAmount": r.URL.Query().Get("amount")}
	default:
		answer = token
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// count returns how often a path was requested.
func (d *desk) count(path string) (n int) {
	for _, p := range d.paths {
		if p == path {
			n++
		}
	}
	return n
}

// connect connects a host to the server of an agent that may spend so much.
func (d *desk) connect(t *testing.T, budget client.Lamports, host *mcp.ClientOptions, protocol ...string) *mcp.ClientSession {
	t.Helper()
	service := httptest.NewServer(d)
	t.Cleanup(service.Close)
	later := client.Time{Time: time.Now().Add(time.Hour)}
	o := Options{Signer: &d.owner, MaxLamports: budget, Now: time.Now}
	c, err := client.New(service.URL, client.WithSigner(o.Signer), client.WithSession(client.Session{Token: "t", Wallet: d.owner.address, ExpiresAt: later}))
	if err != nil {
		t.Fatal(err)
	}
	there, here := mcp.NewInMemoryTransports()
	if _, err := newServer(o, c).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "v1"}, host).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: strings.Join(protocol, "")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call returns the text of a tool's answer, and whether it is an error.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments any) (text string, failed bool) {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return err.Error(), true
	}
	for _, part := range answer.Content {
		if t, ok := part.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	return text, answer.IsError
}

// order is the launch of the desk, with its supply in whole tokens.
func (d *desk) order(t *testing.T) map[string]any {
	t.Helper()
	text, err := json.Marshal(d.asked)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	delete(tree, "walletId")
	delete(tree, "supply")
	tree["tokens"] = d.asked.Supply.Text(d.asked.Decimals)
	return tree
}

// prepare prepares the launch of the desk, and returns its confirmation.
func (d *desk) prepare(t *testing.T, session *mcp.ClientSession) string {
	t.Helper()
	text, failed := call(t, session, "prepare_launch", d.order(t))
	var plan struct{ Confirmation, Settings string }
	if err := json.Unmarshal([]byte(text), &plan); failed || err != nil || plan.Confirmation == "" {
		t.Fatalf("prepare_launch: %s, %v", text, err)
	}
	if want := d.asked.SettingsText(d.owner.address, d.given.MintKeypair.PublicKey); plan.Settings != want {
		t.Errorf("prepare_launch names the settings %q, want %q", plan.Settings, want)
	}
	return plan.Confirmation
}

var plenty = client.MustSOL("1")

// TestLaunchAsksUser tests that a host that can ask its user gets the question, and that nothing is
// signed unless the user accepts. A host that cannot ask continues with the confirmation.
func TestLaunchAsksUser(t *testing.T) {
	t.Parallel()
	const signed = "a signature that does not fit" // the wallet has no key
	for action, want := range map[string]struct {
		says string
		// again is the result of the same confirmation after that.
		again string
	}{
		"accept":  {signed, "it was used"},
		"decline": {"the user declined: nothing was signed", "it was used"},
		"cancel":  {"the user did not answer: nothing was signed", "the user did not answer"},
		"":        {signed, "it was used"},
	} {
		for _, protocol := range []string{"2025-06-18", ""} { // the host asks for itself, or is told to
			d := newDesk(t)
			var questions []string
			host := &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				questions = append(questions, r.Params.Message)
				return &mcp.ElicitResult{Action: action}, nil
			}}
			if action == "" {
				host = nil
			}
			session := d.connect(t, plenty, host, protocol)
			confirmation := map[string]any{"confirmation": d.prepare(t, session)}
			if len(questions) > 0 {
				t.Errorf("%s: asks before launch: %q", action, questions)
			}
			text, failed := call(t, session, "launch", confirmation)
			if !failed || !strings.Contains(text, want.says) || (d.owner.signs == 1) != (want.says == signed) {
				t.Errorf("%q by %q: launch returns %s; requests %v", action, protocol, text, d.paths)
			}
			if again, failed := call(t, session, "launch", confirmation); !failed || !strings.Contains(again, want.again) {
				t.Errorf("%q: the second launch returns %s", action, again)
			}
			if host != nil {
				for _, word := range []string{`"Paper Crane"`, `"CRANE"`, "1000000000 tokens", "5%", d.given.Cost.TotalLamports.String(), "Sends 0.02 SOL"} {
					if len(questions) == 0 || !strings.Contains(questions[0], word) {
						t.Errorf("%s: the question does not say %s: %q", action, word, questions)
					}
				}
			}
		}
	}
}

// TestUnrelatedAnswersAreNotConsent tests that an answer in the first call, before any question, is
// ignored.
func TestUnrelatedAnswersAreNotConsent(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	asked := 0
	session := d.connect(t, plenty, &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		asked++
		return &mcp.ElicitResult{Action: "decline"}, nil
	}})
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "launch", Arguments: map[string]any{"confirmation": d.prepare(t, session)},
		InputResponses: mcp.InputResponseMap{consent: &mcp.ElicitResult{Action: "accept"}},
	})
	if err != nil || !answer.IsError || asked != 1 || d.owner.signs > 0 {
		t.Errorf("%+v, %v; %d questions; requests %v", answer, err, asked, d.paths)
	}
}

// TestPrepareOverMaxCreatesNothing tests that a launch over the session's budget is not created.
func TestPrepareOverMaxCreatesNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	text, failed := call(t, d.connect(t, client.LamportsOf(1000), nil), "prepare_launch", d.order(t))
	if !failed || !strings.Contains(text, "--most") || d.count("/tokens/create-unsigned") > 0 {
		t.Errorf("%s; requests %v", text, d.paths)
	}
}

// TestAmountsInWholeTokens tests that each amount is given once, in base units or in whole tokens.
func TestAmountsInWholeTokens(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	session := d.connect(t, plenty, nil)
	for name, c := range map[string]struct {
		tool   string
		change map[string]any
		want   string
	}{
		"both supplies":     {"validate_launch", map[string]any{"supply": "1"}, "supply and tokens"},
		"no supply":         {"validate_launch", map[string]any{"tokens": ""}, "supply and tokens"},
		"too many decimals": {"validate_launch", map[string]any{"tokens": "0.1234567"}, `tokens: "0.1234567" has more than 6 decimals`},
		"both minimums":     {"validate_launch", map[string]any{"minimumHoldingRequirement": "1", "minimumHoldingTokens": "1"}, "minimumHoldingRequirement and minimumHoldingTokens"},
		"other decimals":    {"validate_launch", map[string]any{"decimals": 7}, "decimals"},
		"two quotes":        {"quote", map[string]any{"amount": "1", "tokens": "1"}, "amount, tokens and lamports"},
		"no quote":          {"quote", nil, "amount, tokens and lamports"},
	} {
		arguments := map[string]any{"mint": d.owner.address.String()}
		if c.tool != "quote" {
			arguments = d.order(t)
		}
		for field, value := range c.change {
			arguments[field] = value
		}
		if text, failed := call(t, session, c.tool, arguments); !failed || !strings.Contains(text, c.want) {
			t.Errorf("%s: tool returned %q, want an error with %q", name, text, c.want)
		}
	}
	if text, failed := call(t, session, "quote", map[string]any{"mint": d.owner.address.String(), "tokens": "1.5"}); failed || !strings.Contains(text, `"tokenAmount":"1500000"`) {
		t.Errorf("quote of 1.5 tokens: %s", text)
	}
	asked, err := orderInput{TokenCreation: client.TokenCreation{Decimals: 9}, Tokens: "1.5", MinimumHolding: "0.25"}.creation()
	if err != nil || asked.Supply.String() != "1500000000" || asked.MinimumHoldingRequirement.String() != "250000000" {
		t.Errorf("creation() = %+v, %v; want 1500000000 and 250000000 base units", asked, err)
	}
}

// TestSchemasOfTools tests that each field of fixed values lists them, and that each response is an
// object. A host need not handle lists that may be null.
func TestSchemasOfTools(t *testing.T) {
	t.Parallel()
	tools, err := newDesk(t).connect(t, plenty, nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Type       any
		Enum       []any
		Properties map[string]schema
		Required   []string
	}
	inputs := map[string]map[string]schema{}
	for _, tool := range tools.Tools {
		var in, out schema
		for from, to := range map[any]*schema{&tool.InputSchema: &in, &tool.OutputSchema: &out} {
			text, err := json.Marshal(from)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, to); err != nil {
				t.Fatal(err)
			}
		}
		inputs[tool.Name] = in.Properties
		for name, property := range in.Properties {
			if _, one := property.Type.(string); !one && property.Enum == nil {
				t.Errorf("%s: %s has the type %v", tool.Name, name, property.Type)
			}
		}
		if found, ok := out.Properties["found"]; ok && found.Type != "object" || !ok && slices.Contains(out.Required, "notice") {
			t.Errorf("%s returns found as %v", tool.Name, found.Type)
		}
	}
	for path, want := range map[string]int{
		"prepare_launch decimals": 2, "prepare_launch distributionInterval": 8, "prepare_launch rewardBasis": 2,
		"list_tokens sort": 2, "list_candles interval": len(client.CandleIntervals()),
	} {
		tool, field, _ := strings.Cut(path, " ")
		if got := inputs[tool][field].Enum; len(got) != want {
			t.Errorf("%s is one of %v, want %d values", path, got, want)
		}
	}
	if _, ok := inputs["prepare_launch"]["creatorSplits"]; !ok {
		t.Error("prepare_launch has no creatorSplits")
	}
}
