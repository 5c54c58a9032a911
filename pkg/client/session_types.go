package client

import "github.com/gagliardetto/solana-go"

// Challenge is a message to sign in with.
type Challenge struct {
	// The message to sign, exactly as it is. Lines end with a line feed, and there is none at the end.
	Challenge string `json:"challenge"`
	// The random part of the message.
	Nonce    string `json:"nonce"`
	IssuedAt Time   `json:"issuedAt"`
	// 5 minutes later.
	ExpiresAt Time `json:"expiresAt"`
}

// ChallengeRequest asks for a message to sign.
type ChallengeRequest struct {
	// Your wallet.
	Wallet solana.PublicKey `json:"wallet"`
}

// VerifyRequest exchanges a signed message for a token.
type VerifyRequest struct {
	// The wallet that asked for the challenge.
	Wallet solana.PublicKey `json:"wallet"`
	// The message, exactly as it was issued.
	Challenge string `json:"challenge"`
	// The wallet's Ed25519 signature of the message, 64 bytes in base58 or base64.
	Signature solana.Signature `json:"signature"`
}

// Session is a token for the header Authorization.
type Session struct {
	// The token, for the header `Authorization`.
	Token     string `json:"token"`
	TokenType string `json:"tokenType"`
	// The wallet that the token belongs to.
	Wallet solana.PublicKey `json:"wallet"`
	// 7 days after issue.
	ExpiresAt Time `json:"expiresAt"`
}
