package stack

import (
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

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

func wholeSOL(lamports uint64) int { return int(lamports) / lamportsPerSOL } //nolint:gosec // our own limit

// signerConcurrency returns the signer's concurrency: an invocation for each process that requests
// signatures, because a process makes one request at a time, and derivations.
func (s Settings) signerConcurrency() float64 {
	return float64(s.RunConcurrency + s.PayoutConcurrency + derivations)
}

// handoverDelay is the delay of the signer and of the function that accepts orders.
func (s service) handoverDelay() *string {
	return jsii.String(strconv.Itoa(s.settings.HandoverDelayHours) + "h")
}

// roots returns the keys from which wallets are derived, oldest first.
func (s service) roots() []key {
	list := []key{s.keys.wallet}
	if further := s.settings.Adopted.WalletRootARNs; further != "" {
		for arn := range strings.SplitSeq(further, ",") {
			_, id, _ := strings.Cut(arn, ":key/")
			list = append(list, key{id: &id, arn: &arn})
		}
	}
	return list
}

// derivesWallets permits the use of every root.
func (s service) derivesWallets() awsiam.PolicyStatement {
	var arns []*string
	for _, root := range s.roots() {
		arns = append(arns, root.arn)
	}
	return allow(useWallets, arns...)
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
		"HANDOVER_DELAY":               s.handoverDelay(),
	}
	set(env, "EXCHANGES", s.settings.Exchanges)
	set(env, "RECOVERED", s.settings.Adopted.since())
	set(env, "WALLET_ROOTS", s.settings.Adopted.WalletRootARNs)
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
			s.derivesWallets(),
		},
	}
}
