package launchtx

import (
	"crypto/ed25519"

	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// work is a measured operation on a launch with its compiled message. A work returns a transaction
// in base64, or "" if the work only signs.
type work func(l launch, compiled wire.Message) (string, error)

// works are the works of both sides. infra/peer/launch.mjs has works with the same names.
var works = []struct {
	name, what string
	do         work
}{
	{"build", "build: instructions, message, base64", func(l launch, _ wire.Message) (string, error) { return l.transaction() }},
	{"sign", "sign: one signature on a message that is there", func(l launch, m wire.Message) (string, error) {
		return "", wire.NewTransaction(m).Sign(l.mint)
	}},
	{"create", "**build, and sign by the mint's key**", create},
	{"complete", "build, and sign by the keys of mint and nonce authority", func(l launch, _ wire.Message) (string, error) {
		return l.transaction(l.mint, l.authority)
	}},
	{"checked", "the same, and verify the authority's signature", func(l launch, _ wire.Message) (string, error) {
		tx, err := l.signed(l.mint, l.authority)
		if err == nil {
			err = tx.VerifySignature(l.nonce.Authority)
		}
		return tx.Base64(), err
	}},
}

// create builds the message and signs it by the mint's key, which the service does on submit.
func create(l launch, _ wire.Message) (string, error) { return l.transaction(l.mint) }

// compile builds the message of a launch like the service.
func (l launch) compile() (wire.Message, error) {
	steps, err := l.Steps()
	if err != nil {
		return wire.Message{}, err
	}
	draft := transaction.Draft{Kind: transaction.KindLaunch, Caller: l.Payer, Mint: l.Mint, Steps: steps, Nonce: &l.nonce}
	message, _, err := draft.Compile(l.nonce.Value, units, microLamports)
	return message, err
}

// transaction builds the transaction, signed by keys, in base64.
func (l launch) transaction(keys ...ed25519.PrivateKey) (string, error) {
	tx, err := l.signed(keys...)
	return tx.Base64(), err
}

func (l launch) signed(keys ...ed25519.PrivateKey) (wire.Transaction, error) {
	m, err := l.compile()
	if err != nil {
		return wire.Transaction{}, err
	}
	tx := wire.NewTransaction(m)
	for _, key := range keys {
		if err := tx.Sign(key); err != nil {
			return wire.Transaction{}, err
		}
	}
	return tx, nil
}
