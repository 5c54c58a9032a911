package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/fault"
)

// wired is a client of a new wallet with a SOL, whose calls go over the wire of a process.
func wired(t *testing.T, p *fault.Process, options ...client.Option) (*client.Client, client.Order) {
	t.Helper()
	s := deployed(t)
	wallet, err := client.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Chain.Fund(t.Context(), wallet.PublicKey().String(), 1_000_000_000); err != nil {
		t.Fatal(err)
	}
	transport := p.Over(documented(t).Transport.RoundTrip)
	c, err := client.New(s.APIURL, append(options, client.WithSigner(wallet), client.WithHTTPClient(&http.Client{Transport: transport}))...)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := walkthrough.Picture()
	if err != nil {
		t.Fatal(err)
	}
	order := client.Order{Token: walkthrough.Example("", ""), Picture: picture}
	return c, order
}

func tokensOf(t *testing.T, c *client.Client) (tokens []client.Token) {
	t.Helper()
	for token, err := range c.AllMyTokens(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	return tokens
}

// TestLostResponsesLaunchOnce loses the response to each of its writes once: one wallet, one image,
// one transaction and one token exist.
func TestLostResponsesLaunchOnce(t *testing.T) {
	p := fault.NewProcess()
	for _, call := range []string{"/auth/verify", "/tokens/generate-distribution-wallet", "/tokens/upload-image", "/tokens/create-unsigned", "/tokens/submit"} {
		p.On(fault.Operation("http", http.MethodPost+" "+call), fault.Times(1, fault.ReplyLost))
	}
	c, order := wired(t, p)
	token, err := c.Launch(t.Context(), order, client.LaunchHooks{})
	if err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	sent := map[string]int{}
	for _, call := range p.Calls() {
		sent[call.Operation]++
	}
	for _, call := range []string{"/auth/verify", "/tokens/generate-distribution-wallet", "/tokens/upload-image", "/tokens/create-unsigned", "/tokens/submit"} {
		if sent["POST "+call] < 2 {
			t.Errorf("POST %s was sent %d times, so the test proves nothing", call, sent["POST "+call])
		}
	}
	if mine := tokensOf(t, c); len(mine) != 1 || mine[0].MintAddress != token.MintAddress || token.Status != client.TokenConfirmed {
		t.Errorf("%+v, and the list has %d", token, len(mine))
	}
}

// TestUndecidedLaunchCanBeFinished loses all responses to the submission. The caller learns that
// the outcome is unknown, and the returned state finishes the same launch.
func TestUndecidedLaunchCanBeFinished(t *testing.T) {
	p := fault.NewProcess()
	const attempts = 2
	p.On(fault.Operation("http", "POST /tokens/submit"), fault.Times(attempts, fault.ReplyLost))
	c, order := wired(t, p, client.WithAttempts(attempts))
	var kept client.Submission
	_, err := c.Launch(t.Context(), order, client.LaunchHooks{Signed: func(s client.Submission) error { kept = s; return nil }})
	var unknown *client.UncertainError
	if !errors.As(err, &unknown) || unknown.Submission != kept {
		t.Fatalf("%v, with %+v kept", err, kept)
	}
	token, err := c.FinishLaunch(t.Context(), kept, client.LaunchHooks{})
	if err != nil || token.MintAddress != unknown.Mint {
		t.Fatalf("FinishLaunch() = %s, %v; want mint %s", token.MintAddress, err, unknown.Mint)
	}
	if mine := tokensOf(t, c); len(mine) != 1 {
		t.Errorf("%d tokens were launched", len(mine))
	}
}

// The whole of a launch, and what there is to read after it.
func Example_launch() {
	ctx := context.Background()
	starting.Do(func() { running, startErr = start() })
	if startErr != nil {
		fmt.Println(startErr)
		return
	}
	if err := running.ForgetLimits(ctx); err != nil { // all callers here have one address
		fmt.Println(err)
		return
	}
	wallet, err := client.NewKey() // or client.LoadKey
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := running.Chain.Fund(ctx, wallet.PublicKey().String(), 1_000_000_000); err != nil {
		fmt.Println(err)
		return
	}
	c, err := client.New(running.APIURL, client.WithSigner(wallet))
	if err != nil {
		fmt.Println(err)
		return
	}
	picture, err := walkthrough.Picture()
	if err != nil {
		fmt.Println(err)
		return
	}
	order := client.Order{
		Token: client.TokenCreation{
			Name: "Paper Crane", Symbol: "CRANE", Decimals: 6, Supply: client.MustTokens("1000000000", 6), TransferFeePercent: client.MustPercent("5"),
		},
		Picture: picture,
	}
	token, err := c.Launch(ctx, order, client.LaunchHooks{
		Approve: func(u client.UnsignedToken) error {
			fmt.Println(len(u.Explanation), "instructions for less than 0.03 SOL:", u.Cost.TotalLamports.Uint64() < 30_000_000)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(token.Name, token.Status, token.Supply.Text(token.Decimals), "tokens, tax", token.TransferFeePercent, "%")
	settings, err := c.ChangeDistributionSettings(ctx, token.ID, client.SettingsChange{BurnPercent: new(client.MustPercent("25"))})
	fmt.Println("burns", settings.BurnPercent, "%", err)
	for run, err := range c.AllRuns(ctx, token.ID) {
		fmt.Println(run.ScheduledAt, run.Status, err)
	}
	// Output:
	// 12 instructions for less than 0.03 SOL: true
	// Paper Crane confirmed 1000000000 tokens, tax 5 %
	// burns 25 % <nil>
}
