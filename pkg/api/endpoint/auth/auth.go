// Package auth serves the routes by which a wallet signs in.
package auth

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/solana/signin"
)

// Service issues challenges and exchanges signed challenges for access tokens; see auth.Service.
type Service interface {
	Issue(ctx context.Context, wallet solana.PublicKey, origin string) (auth.Challenge, error)
	Verify(ctx context.Context, wallet solana.PublicKey, message string, proof auth.Proof) (jwt.Token, error)
}

// Handlers returns the handlers by operation.
func Handlers(service Service) map[string]apigw.HandlerFunc {
	e := endpoint{service}
	return map[string]apigw.HandlerFunc{
		"createChallenge": e.challenge,
		"verifyChallenge": e.verify,
	}
}

type endpoint struct{ service Service }

type challengeBody struct {
	Challenge string `json:"challenge"`
	Nonce     string `json:"nonce"`
	IssuedAt  string `json:"issuedAt"`
	ExpiresAt string `json:"expiresAt"`
}

func (e endpoint) challenge(w http.ResponseWriter, r *http.Request) error {
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	wallet := readWallet(fields)
	if err := fields.Err(); err != nil {
		return err
	}
	c, err := e.service.Issue(r.Context(), wallet, r.Header.Get("Origin"))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return apigw.WriteJSON(w, http.StatusOK, challengeBody{
		Challenge: c.Message, Nonce: c.Nonce, IssuedAt: apigw.Timestamp(c.IssuedAt), ExpiresAt: apigw.Timestamp(c.ExpiresAt),
	})
}

type tokenBody struct {
	Token     string `json:"token"`
	TokenType string `json:"tokenType"`
	Wallet    string `json:"wallet"`
	ExpiresAt string `json:"expiresAt"`
}

func (e endpoint) verify(w http.ResponseWriter, r *http.Request) error {
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	wallet, message, proof := readWallet(fields), fields.String("challenge"), readProof(fields)
	if err := fields.Err(); err != nil {
		return err
	}
	token, err := e.service.Verify(r.Context(), wallet, message, proof)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return apigw.WriteJSON(w, http.StatusOK, tokenBody{
		Token: token.Raw, TokenType: "Bearer", Wallet: wallet.String(), ExpiresAt: apigw.Timestamp(token.ExpiresAt),
	})
}

func readWallet(fields *body.Fields) solana.PublicKey {
	wallet, ok := auth.ParseWallet(fields.String("wallet"))
	if !ok {
		fields.Reject("wallet", apperr.CodeInvalidWalletAddress, "Must be a wallet address: 32 bytes in base58.")
	}
	return wallet
}

// readProof reads the field that proves the wallet's signature: signedTransaction or signature.
func readProof(fields *body.Fields) auth.Proof {
	text, given := fields.OptionalString("signedTransaction")
	if !given && !fields.IsBad("signedTransaction") {
		signature, ok := auth.ParseSignature(fields.String("signature"))
		if !ok {
			fields.Reject("signature", apperr.CodeInvalidFormat, "Must be a signature: 64 bytes in base58 or base64.")
		}
		return signature
	}
	if fields.Has("signature") {
		fields.Reject("signedTransaction", apperr.CodeInvalidFormat, "Must not be there with signature: send one of the two.")
	}
	transaction, err := signin.Parse(text)
	if err != nil {
		fields.Reject("signedTransaction", apperr.CodeInvalidFormat, fmt.Sprintf(
			"Must be a signed legacy transaction in base64, with exactly the challenge as its memo and a blockhash of zeros: %v.", err))
	}
	return transaction
}
