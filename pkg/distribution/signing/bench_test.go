package signing_test

import (
	"fmt"
	"testing"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"

	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
)

// BenchmarkSigning measures the cost of a payment's signature: alone, as distributor and payer
// signed before, and with what the signer reads, checks and counts, for requests with one
// payment and with many. Tables and keys are the local AWS's; the ledger is in memory.
func BenchmarkSigning(b *testing.B) {
	r := rob(b)
	client := awskms.NewFromConfig(localnet.AWS(b).Config(b.Context()))
	key, err := client.CreateKey(b.Context(), &awskms.CreateKeyInput{KeySpec: types.KeySpecHmac512, KeyUsage: types.KeyUsageTypeGenerateVerifyMac})
	if err != nil {
		b.Fatal(err)
	}
	r.core.Wallets.Derivation.MAC = kms.HMAC{Client: client, KeyID: *key.KeyMetadata.KeyId}
	r.core.Limits = signing.Limits{RunLamports: 1 << 60, WalletDayLamports: 1 << 60, DayLamports: 1 << 60}
	r.use(uuid.NewString())
	r.open()
	b.Run("alone", func(b *testing.B) {
		o := r.order(0, 0, 1)
		for b.Loop() {
			if _, err := (payouttest.Unchecked{Signer: r.core.Wallets}).Sign(b.Context(), o); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, size := range []int{1, 32, 100} {
		b.Run(fmt.Sprintf("signer/%d", size), func(b *testing.B) {
			orders := make([]payout.Order, size)
			for generation := 0; b.Loop(); generation++ {
				b.StopTimer()
				for leg := range orders {
					orders[leg] = r.order(leg, generation, 1) // counted again
				}
				b.StartTimer()
				if got := r.ask(orders...); got != size {
					b.Fatalf("%d of %d are signed", got, size)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*size)/1000, "ms/payment")
		})
	}
}
