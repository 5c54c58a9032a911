package launchtx

import (
	"crypto/ed25519"

	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// work is what is measured of a launch, whose message is there: it gives a transaction in
// base64, or nothing where it only signs.
type work func(l launch, compiled wire.Message) (string, error)

// works are those of both sides; infra/peer/launch.mjs has the same by these names.
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

// create is what the service does at POST /tokens/create-unsigned.
func create(l launch, _ wire.Message) (string, error) { return l.transaction(l.mint) }

// compile makes the message of a launch as the service does.
func (l launch) compile() (wire.Message, error) {
	steps, err := l.Steps()
	if err != nil {
		return wire.Message{}, err
	}
	draft := transaction.Draft{Kind: transaction.KindLaunch, Caller: l.Payer, Mint: l.Mint, Steps: steps, Nonce: &l.nonce}
	message, _, err := draft.Compile(l.nonce.Value, units, microLamports)
	return message, err
}

// transaction makes it whole, signed by keys, in base64.
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
