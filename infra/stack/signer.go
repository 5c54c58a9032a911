package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

const (
	// signerTimeoutSeconds is the maximum wait of distributor and payer for a response. It exceeds
	// a simulation with a slow node.
	signerTimeoutSeconds = 25
	// derivations is the concurrency that remains for the addresses of new wallets.
	derivations = 10
)

// The limits of the settings are in whole SOL.
const lamportsPerSOL int = 1_000_000_000

func wholeSOL(lamports uint64) int { return int(lamports) / lamportsPerSOL } //nolint:gosec // a limit of ours

// signerConcurrency returns the signer's concurrency: an invocation for each process that requests
// signatures, because a process makes one request at a time, and derivations.
func (s Settings) signerConcurrency() float64 {
	return float64(s.RunConcurrency + s.PayoutConcurrency + derivations)
}

// signer is the only function with access to the keys of the distribution wallets. No route invokes
// the signer. Distributor, payer and deriver may invoke it.
func (s service) signer() function {
	env := map[string]*string{
		"WALLET_KEY_ID":                s.keys.wallet.id,
		"LEDGER_TABLE":                 s.store.ledger.TableName(),
		"LEDGER_BUCKET":                s.store.books.BucketName(),
		"CAPS_TABLE":                   s.store.caps.TableName(),
		"MARKETS_NETWORK":              s.marketsNetwork(),
		"SIGNER_RUN_LAMPORTS":          number(s.settings.SignerRunSOL * lamportsPerSOL),
		"SIGNER_WALLET_DAY_LAMPORTS":   number(s.settings.SignerWalletDaySOL * lamportsPerSOL),
		"SIGNER_DAY_LAMPORTS":          number(s.settings.SignerDaySOL * lamportsPerSOL),
		"SIGNER_RUN_SUPPLY_BPS":        number(s.settings.SignerRunSupplyBps),
		"SIGNER_WALLET_DAY_SUPPLY_BPS": number(s.settings.SignerWalletDaySupplyBps),
	}
	set(env, "EXCHANGES", s.settings.Exchanges)
	set(env, "RECOVERED", s.settings.Adopted.since())
	return function{
		name: "signer", construct: "Signer", about: "Signs for distribution wallets what the ledger has decided (internal)",
		memoryMB: 512, timeoutSeconds: signerTimeoutSeconds, calls: s.settings.signerConcurrency(),
		holdsWallets: true,
		env:          s.node(env),
		may: []awsiam.PolicyStatement{
			allow(readItems, s.store.ledger.TableArn()),
			allow(getFiles, s.books(plans)),
			allow([]string{"dynamodb:BatchGetItem", "dynamodb:GetItem"}, s.store.caps.TableArn()),
			within(s.store.caps, putOrUpdate, schema.Counted),
			allow(useWallets, s.keys.wallet.arn),
		},
	}
}
