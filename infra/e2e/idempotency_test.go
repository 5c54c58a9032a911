package e2e_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
)

// A caller without an access token is known by an address that neighbours share.
func TestOneKeyMakesTwoWallets(t *testing.T) {
	s := deployed(t)
	header := map[string]string{"Idempotency-Key": t.Name()}
	generate := func() answer {
		return call(t, http.MethodPost, s.APIURL+"/tokens/generate-distribution-wallet", "", header)
	}
	one, other := generate(), generate()
	if one.status != http.StatusOK || other.status != http.StatusOK || one.body == other.body || other.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("got %d %s and %d %s, want two wallets", one.status, one.body, other.status, other.body)
	}
}

// TestCreateReplaysKey tests that a client that lost the response gets the same transaction, and no
// transaction for another body.
func TestCreateReplaysKey(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Create(t.Context()); err != nil { // which funds and signs in, and counts as a creation
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	body, err := json.Marshal(walkthrough.Example(l.Image.ImageURI, l.Distribution.WalletID))
	if err != nil {
		t.Fatal(err)
	}
	header := map[string]string{
		"Authorization": "Bearer " + l.Session.Token, "Content-Type": "application/json", "Idempotency-Key": t.Name(),
	}
	create := func(body string) answer {
		return call(t, http.MethodPost, s.APIURL+"/tokens/create-unsigned", body, header)
	}
	answers := make([]answer, 2)
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() { answers[i] = create(string(body)) })
	}
	both.Wait()
	again := create(string(body))
	if again.status != http.StatusOK || again.header.Get("Idempotency-Replayed") != "true" {
		t.Fatalf("again: %d %s, replayed %q", again.status, again.body, again.header.Get("Idempotency-Replayed"))
	}
	for _, a := range answers {
		if a.status != http.StatusOK {
			checkProblem(t, a, http.StatusConflict, "idempotency_in_progress")
		} else if a.body != again.body {
			t.Errorf("the same key created %s and %s", a.body, again.body)
		}
	}
	checkProblem(t, create(string(body)+" "), http.StatusConflict, "idempotency_key_reused")
	var prepared client.UnsignedToken
	if err := json.Unmarshal([]byte(again.body), &prepared); err != nil || prepared.TransactionID == "" || prepared.TransactionID == l.Prepared.TransactionID {
		t.Errorf("the transaction is %+v, %v; want a new one", prepared, err)
	}
}
