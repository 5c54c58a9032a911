package e2e_test

import (
	"errors"
	"net/http"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/client"
)

func TestLaunchFromWalletToChain(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	list, err := l.Client.ListTokens(t.Context(), client.TokenQuery{Page: client.Page{Limit: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if list.Pagination.Total < 1 || len(list.Tokens) != 1 || list.Tokens[0].MintAddress != l.Submitted.MintAddress {
		t.Errorf("the public list is %+v: the newest token is not first", list)
	}
}

func logOf(err error) string {
	var problem *client.Problem
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
		answers [2]client.SubmissionResult
		errs    [2]error
	)
	for i := range answers {
		both.Go(func() {
			answers[i], errs[i] = l.Client.SubmitToken(t.Context(), submission(l))
		})
	}
	both.Wait()
	for i := range answers {
		if errs[i] != nil {
			t.Fatalf("%v\n%s", errs[i], logOf(errs[i]))
		}
		if !answers[i].Success || answers[i].Signature.IsZero() || answers[i].Signature != answers[0].Signature {
			t.Errorf("response %d is %+v", i, answers[i])
		}
	}
	mine, err := l.Client.ListMyTokens(t.Context(), client.Page{})
	if err != nil {
		t.Fatal(err)
	}
	if len(mine.Tokens) != 1 {
		t.Errorf("the creator has %d tokens, want 1", len(mine.Tokens))
	}
}

func TestSubmitRejectsOtherCaller(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	if err := l.Create(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	_, err := signedIn(t, s).SubmitToken(t.Context(), submission(l))
	wantProblem(t, err, http.StatusBadRequest, client.InvalidTransaction)
	unsigned := submission(l)
	unsigned.SignedTransaction = l.Prepared.Transaction
	_, err = l.Client.SubmitToken(t.Context(), unsigned)
	wantProblem(t, err, http.StatusBadRequest, client.InvalidTransaction)
	_, err = l.Client.GetToken(t.Context(), l.Prepared.MintKeypair.PublicKey)
	wantProblem(t, err, http.StatusNotFound, client.TokenNotFound)
}

func submission(l *walkthrough.Launch) client.Submission {
	return client.Submission{TransactionID: l.Prepared.TransactionID, SignedTransaction: l.Signed}
}

func wantProblem(t *testing.T, err error, status int, code client.Code) {
	t.Helper()
	var problem *client.Problem
	if !errors.As(err, &problem) {
		t.Errorf("error is %v, want %d %s", err, status, code)
		return
	}
	if problem.Status != status || problem.Code != code {
		t.Errorf("%v, want %d %s\n%s", problem, status, code, running.LogOf(problem.RequestID))
	}
}

func TestConcurrentChallengeWorksOnce(t *testing.T) {
	s := deployed(t)
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		t.Fatal(err)
	}
	c := newLaunch(t, s).Client
	issued, err := c.CreateChallenge(t.Context(), client.ChallengeRequest{Wallet: wallet.PublicKey()})
	if err != nil {
		t.Fatal(err)
	}
	signature := solana.MustSignatureFromBase58(wallet.SignMessage(issued.Challenge))
	answer := client.VerifyRequest{Wallet: wallet.PublicKey(), Challenge: issued.Challenge, Signature: signature}
	var (
		all  sync.WaitGroup
		errs [6]error
	)
	for i := range errs {
		all.Go(func() { _, errs[i] = c.VerifyChallenge(t.Context(), answer) })
	}
	all.Wait()
	accepted := 0
	for _, err := range errs {
		if err == nil {
			accepted++
			continue
		}
		wantProblem(t, err, http.StatusUnauthorized, client.ChallengeUnknown)
	}
	if accepted != 1 {
		t.Errorf("%d of %d uses of one challenge were accepted, want 1", accepted, len(errs))
	}
}
