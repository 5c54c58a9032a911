package main

import (
	"math"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// What was not measured here, for it is AWS's network and the node's: how long the calls
// of a function take.
const (
	storeCall = 0.005 // seconds of a call of DynamoDB or SQS
	fileCall  = 0.030 // of S3
	keyCall   = 0.010 // of KMS
	nodeCall  = 0.060 // of a Solana node
)

// What a run asks of DynamoDB, S3 and the node, fitted to whole runs that were measured
// (`make bench`, section "Distribution": 994 holders paid in SOL by 62 payments of version
// 1, or by 105 legacy ones, each with 40 of 25 collections): so much as a whole, and so much for each payment.
const (
	runWrites, paymentWrites = 508.0, 10.8
	runReads, paymentReads   = 149.0, 5.1
	runNodeCalls             = 30.0
	// A payment's calls are shared by the payments of a stripe, as far as they can be
	// (section "Airdrop" of docs/performance.md: 3.8 to 4.3 a transaction).
	paymentNodeCalls = 4.0
	// aloneNodeCalls are those of a payment that shares none, one after the other: what was
	// measured on the local chain, and what each payment waits for.
	aloneNodeCalls = 8.2
	// runPuts and paymentPuts are files: of the run, and what was signed and what landed.
	runPuts, paymentPuts = 10.0, 2.0
)

const (
	// otherPayments of a run: accounts, the burn, the exchange, the memo.
	otherPayments = 4
	// mustCollect is the part of the holders' accounts with tax worth collecting.
	mustCollect = 1.0
	// baseFee of a transaction with one signature (Solana documentation, "Fees"), and
	// what its compute units cost at the first offer.
	baseFee, priorityFee = 5_000, 2_000
	// finality is the time from sending a transaction until it is known to be final, and so the
	// time that its receipt lends rent. Mainnet finalizes a slot within 150 ms (Alpenglow);
	// 1,667 payouts on Agave 4.2.0 were final 0.97 s after the first was sent.
	finality = time.Second
	// scans is the number of times that a run lists the token's accounts: where tax is
	// withheld, and who holds the token. A listing that fails is repeated.
	scans = 2
	// steps is the number of steps of a run in addition to its payments, over all calls.
	steps = 15
	// slotCalls is the number of messages of a run, and so of calls of distributor: that of its slot.
	// A stripe that is handed out takes two, to payer and back (package run,
	// TestRunTakesFewMessages).
	slotCalls, stripeCalls = 1, 2
	// waits is the number of payments of a run that wait for finality one after the other: accounts, tax,
	// burn, exchange, creator, holders, receipts, memo. waited is the wait of each within the
	// call, with Alpenglow; a longer wait is a message.
	waits, waited = 8, 0.4
	// rowBytes is what a holder takes in the files of a run, snapshot to proof.
	rowBytes = 700.0
	// proofRows is how many rows a file of a proof has (package proof).
	proofRows = 512
)

const (
	payerGB, distributorGB = usualGB, processorGB
	// planning is what snapshot, plan and proof take of one processor for a holder,
	// seconds: 22 s for a million.
	planning = 22.0 / million
)

// run is what one distribution takes.
type run struct {
	holders, batches, payments float64
	writes, reads              float64
	puts, macs                 float64
	nodeCalls                  float64
	payerSeconds               float64
	distributorSeconds         float64
	// calls of both functions, each by a message.
	calls float64
	// receipts is how many are out at once, and rent what they are lent, in SOL.
	receipts, rent float64
	// atLeast is how long its payments take, all at once, and until the receipts are back.
	atLeast time.Duration
	dollars float64
	sol     float64
}

// runOf is what a run takes that pays so many holders in SOL.
func runOf(holders float64) run {
	r := run{holders: holders}
	r.batches = math.Ceil(holders / payout.SOLBatchV1)
	collects := math.Ceil(mustCollect * holders / payout.CollectBatchV1)
	r.payments = r.batches + collects + math.Ceil(r.batches/payout.ReturnBatchV1) + otherPayments
	r.writes = runWrites + paymentWrites*r.payments
	r.reads = runReads + paymentReads*r.payments
	r.nodeCalls = runNodeCalls + paymentNodeCalls*r.payments
	r.puts = runPuts + paymentPuts*r.payments
	r.macs = r.payments + r.batches // to sign, and for the seeds of receipts
	perPayment := aloneNodeCalls*nodeCall + (paymentWrites+paymentReads)/3*storeCall + 2*keyCall + fileCall
	// A stripe that is alone is worked on by distributor, many payments at once.
	r.calls = slotCalls
	turns := otherPayments + math.Ceil(r.batches/payout.ReturnBatchV1)
	for _, batches := range []float64{collects, r.batches} {
		if stripes := math.Ceil(batches / payout.MostStripe); stripes > 1 {
			r.calls += stripeCalls * stripes
			r.payerSeconds += batches * perPayment
		} else {
			turns += math.Ceil(batches / paymentsAtOnce)
		}
	}
	r.distributorSeconds = steps*(4*storeCall+2*nodeCall+fileCall) + turns*perPayment + waits*waited + holders*planning
	r.receipts = r.batches
	r.rent = r.receipts * receiptRent / lamportsPerSOL
	r.atLeast = 3 * finality // collected, paid, and the receipts are back
	files := r.puts + holders/proofRows*2
	messages := 3 * r.calls // send, receive, delete
	r.dollars = r.writes*priceWrite + r.reads*priceRead +
		(r.payerSeconds*payerGB+r.distributorSeconds*distributorGB)*priceGBSecond +
		r.calls*priceInvocation + messages*priceMessage +
		files*(pricePut+priceGet) + r.macs*priceMAC +
		(r.calls+r.payments)*logLine*priceLogGB/bytesPerGB
	r.sol = r.payments * (baseFee + priorityFee) / lamportsPerSOL
	return r
}

const (
	// receiptRent is what an account of no bytes must hold, in lamports: 128 bytes of
	// 5,080 each on mainnet in November 2026.
	receiptRent = 650_240
	// logLine is the output of a call of a function, in bytes, metrics included, and the output
	// of a payment.
	logLine = 1_500
)
