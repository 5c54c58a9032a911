package e2e_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"

	"tokenlaunch.example/service/infra/local/walkthrough"
)

func TestALaunchFromWalletToChain(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	var list struct {
		Tokens     []walkthrough.Token
		Pagination struct{ Total int }
	}
	if err := l.Client.Call(t.Context(), http.MethodGet, "/tokens?limit=1", nil, &list); err != nil {
		t.Fatal(err)
	}
	if list.Pagination.Total < 1 || len(list.Tokens) != 1 || list.Tokens[0].MintAddress != l.Submitted.MintAddress {
		t.Errorf("the public list is %+v: the newest token is not first", list)
	}
}

func logOf(err error) string {
	var problem *walkthrough.Problem
	if errors.As(err, &problem) {
		return running.LogOf(problem.RequestID)
	}
	return ""
}

func TestSubmittingTwiceAtOnceLaunchesOnce(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Create(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	var (
		both    sync.WaitGroup
		answers [2]walkthrough.Submitted
		errs    [2]error
	)
	for i := range answers {
		both.Go(func() {
			errs[i] = l.Client.Call(t.Context(), http.MethodPost, "/tokens/submit", map[string]string{
				"transactionId": l.Prepared.TransactionID, "signedTransaction": l.Signed,
			}, &answers[i])
		})
	}
	both.Wait()
	for i := range answers {
		if errs[i] != nil {
			t.Fatalf("%v\n%s", errs[i], logOf(errs[i]))
		}
		if !answers[i].Success || answers[i].Signature == "" || answers[i].Signature != answers[0].Signature {
			t.Errorf("answer %d is %+v", i, answers[i])
		}
	}
	var mine struct{ Tokens []walkthrough.Token }
	if err := l.Client.Call(t.Context(), http.MethodGet, "/tokens/me", nil, &mine); err != nil {
		t.Fatal(err)
	}
	if len(mine.Tokens) != 1 {
		t.Errorf("the creator has %d tokens, want 1", len(mine.Tokens))
	}
}

func TestATransactionOfAnotherCallerIsRefused(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Create(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	err := signedIn(t, s).Call(t.Context(), http.MethodPost, "/tokens/submit", map[string]string{
		"transactionId": l.Prepared.TransactionID, "signedTransaction": l.Signed,
	}, nil)
	wantProblem(t, err, http.StatusBadRequest, "invalid_transaction")
	err = l.Client.Call(t.Context(), http.MethodPost, "/tokens/submit", map[string]string{
		"transactionId": l.Prepared.TransactionID, "signedTransaction": l.Prepared.Transaction,
	}, nil)
	wantProblem(t, err, http.StatusBadRequest, "invalid_transaction")
	err = l.Client.Call(t.Context(), http.MethodGet, "/tokens/"+l.Prepared.MintKeypair.PublicKey, nil, nil)
	wantProblem(t, err, http.StatusNotFound, "token_not_found")
}

func wantProblem(t *testing.T, err error, status int, code string) {
	t.Helper()
	var problem *walkthrough.Problem
	if !errors.As(err, &problem) {
		t.Errorf("error is %v, want %d %s", err, status, code)
		return
	}
	if problem.HTTPStatus != status || problem.Code != code {
		t.Errorf("%v, want %d %s\n%s", problem, status, code, running.LogOf(problem.RequestID))
	}
}

func TestAChallengeWorksOnceAlsoInARace(t *testing.T) {
	s := deployed(t)
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		t.Fatal(err)
	}
	client := walkthrough.Client{BaseURL: s.APIURL}
	var issued struct{ Challenge string }
	if err := client.Call(t.Context(), http.MethodPost, "/auth/challenge", map[string]string{"wallet": wallet.Address()}, &issued); err != nil {
		t.Fatal(err)
	}
	body := map[string]string{
		"wallet": wallet.Address(), "challenge": issued.Challenge, "signature": wallet.SignMessage(issued.Challenge),
	}
	var (
		all  sync.WaitGroup
		errs [6]error
	)
	for i := range errs {
		all.Go(func() { errs[i] = client.Call(t.Context(), http.MethodPost, "/auth/verify", body, nil) })
	}
	all.Wait()
	accepted := 0
	for _, err := range errs {
		if err == nil {
			accepted++
			continue
		}
		wantProblem(t, err, http.StatusUnauthorized, "challenge_unknown")
	}
	if accepted != 1 {
		t.Errorf("%d of %d uses of one challenge were accepted, want 1", accepted, len(errs))
	}
}
