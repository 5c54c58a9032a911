package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/client"
)

// launch is the example of README.md.
func launch(ctx context.Context, picture []byte) error {
	wallet, _, err := client.LoadKey("creator.pem")
	if err != nil {
		return err
	}
	c, err := client.New("http://localhost:8080", client.WithSigner(wallet))
	if err != nil {
		return err
	}
	token, err := c.Launch(ctx, client.Order{
		Token: client.TokenCreation{
			Name: "Paper Crane", Symbol: "CRANE", Decimals: 6, Supply: client.MustTokens("1000000000", 6),
			TransferFeePercent: client.MustPercent("5"),
		},
		Picture: picture,
	}, client.LaunchHooks{})
	if errors.Is(err, client.RateLimitExceeded) {
		return fmt.Errorf("five launches an hour: %w", err)
	}
	if err != nil {
		return err
	}
	for run, err := range c.AllRuns(ctx, token.ID) {
		if err != nil {
			return err
		}
		fmt.Println(run.Slot, run.Status, run.HoldersPaid)
	}
	return nil
}

// README.md shows what is compiled here. The end-to-end tests run the like.
func TestTheExampleOfTheReadmeCompiles(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	example, _, found := strings.Cut(rest, "```")
	own, err := os.ReadFile("example_test.go")
	if err != nil || !found {
		t.Fatal(found, err)
	}
	dedented := strings.ReplaceAll(string(own), "\n\t", "\n")
	if !strings.Contains(dedented, "\n"+example+"return nil\n}") {
		t.Errorf("the example of README.md is not that of example_test.go:\n%s", example)
	}
	if err := launch(t.Context(), nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A refusal has a code to switch on, and names each bad field.
func ExampleProblem() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprint(w, `{"type":"/docs#validation_failed","title":"Validation failed","status":400,"detail":"One field is not valid.",
			"code":"validation_failed","requestId":"r1","errors":[{"field":"limit","code":"out_of_range","message":"From 1 to 100."}]}`)
	}))
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.ListTokens(context.Background(), client.TokenQuery{Page: client.Page{Limit: 1000}})
	var p *client.Problem
	if errors.Is(err, client.ValidationFailed) && errors.As(err, &p) {
		for _, e := range p.Errors {
			fmt.Println(e.Field, e.Code, e.Message)
		}
	}
	// Output: limit out_of_range From 1 to 100.
}

// Amounts are whole numbers, of base units and of lamports.
func ExampleAmount() {
	supply := client.BaseUnits(1_500_000)
	fmt.Println(supply.Text(6), client.LamportsOf(26_627_386), client.MustPercent("2.5"))
	units, err := client.ParseDecimal("1.5", 6)
	fmt.Println(units, err)
	// Output:
	// 1.5 0.026627386 SOL 2.5
	// 1500000 <nil>
}
