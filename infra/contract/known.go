package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
)

// known is what a caller can only know from earlier answers. hooks.py puts it
// into generated requests, for no schema can say which images are stored.
type known struct {
	Token             string `json:"token"` // the JWT
	Wallet            string `json:"wallet"`
	ImageURI          string `json:"imageUri"`
	WalletID          string `json:"walletId"` // of a distribution wallet that no token uses
	MintAddress       string `json:"mintAddress"`
	TransactionID     string `json:"transactionId"` // a submission that is repeated
	SignedTransaction string `json:"signedTransaction"`
	// SignIns are bodies of POST /auth/verify that work once each.
	SignIns []signIn `json:"signIns"`
}

type signIn struct {
	Wallet    string `json:"wallet"`
	Challenge string `json:"challenge"`
	Signature string `json:"signature"`
}

// signIns is how many of them there are, fewer than the challenges that one
// address may ask for in a minute.
const signIns = 8

const documentFile = "openapi.json"

// prepare launches a token, and writes what came of it and a picture into the
// folder.
func prepare(ctx context.Context, stack *runner.Stack, folder string) (known, error) {
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		return known{}, err
	}
	l := walkthrough.Launch{Client: &walkthrough.Client{BaseURL: stack.APIURL}, Chain: stack.Chain, Wallet: wallet}
	if err := l.Run(ctx); err != nil {
		return known{}, err
	}
	var unused walkthrough.DistributionWallet
	if err := l.Client.Call(ctx, http.MethodPost, "/tokens/generate-distribution-wallet", nil, &unused); err != nil {
		return known{}, err
	}
	k := known{
		Token: l.Client.Token, Wallet: wallet.Address(), ImageURI: l.Image.ImageURI, WalletID: unused.WalletID,
		MintAddress: l.Prepared.MintKeypair.PublicKey, TransactionID: l.Prepared.TransactionID, SignedTransaction: l.Signed,
	}
	for range signIns {
		s, err := newSignIn(ctx, l.Client)
		if err != nil {
			return known{}, err
		}
		k.SignIns = append(k.SignIns, s)
	}
	var document json.RawMessage // as it is served
	if err := l.Client.Call(ctx, http.MethodGet, "/openapi.json", nil, &document); err != nil {
		return known{}, err
	}
	text, err := json.Marshal(k)
	if err != nil {
		return known{}, fmt.Errorf("encode what is known: %w", err)
	}
	picture, err := walkthrough.Picture()
	if err != nil {
		return known{}, err
	}
	for name, content := range map[string][]byte{"known.json": text, "picture.png": picture, documentFile: document} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return known{}, fmt.Errorf("write %s: %w", name, err)
		}
	}
	return k, nil
}

func newSignIn(ctx context.Context, client *walkthrough.Client) (signIn, error) {
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		return signIn{}, err
	}
	s := signIn{Wallet: wallet.Address()}
	if err := client.Call(ctx, http.MethodPost, "/auth/challenge", map[string]string{"wallet": s.Wallet}, &s); err != nil {
		return signIn{}, err
	}
	s.Signature = wallet.SignMessage(s.Challenge)
	return s, nil
}
