package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"tokenlaunch.example/service/pkg/client"
)

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
