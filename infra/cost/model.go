package main

import (
	"math"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// The assumed durations of a function's calls. They depend on AWS's network and the node, and were
// not measured.
const (
	storeCall = 0.005 // seconds of a DynamoDB or SQS call
	fileCall  = 0.030 // seconds of an S3 call
	keyCall   = 0.010 // seconds of a KMS call
	nodeCall  = 0.060 // seconds of a call of a Solana node
)

// The requests of a run to DynamoDB, S3 and the node: a constant for the run, and a factor for each
// payment. The numbers are fitted to measurements of whole runs (`make bench`, section
// "Distribution": 994 holders paid in SOL by 62 payments of version 1, or by 105 legacy payments,
// both with 40 of 25 collections).
const (
	runWrites, paymentWrites = 508.0, 10.8
	runReads, paymentReads   = 149.0, 5.1
	runNodeCalls             = 30.0
	// The payments of a chunk share calls as far as possible (section "Airdrop" of
	// docs/performance.md: 3.8 to 4.3 a transaction).
	paymentNodeCalls = 4.0
	// aloneNodeCalls is the number of consecutive calls of a payment that shares no calls, measured
	// on the local chain. Each payment waits for this number of calls.
	aloneNodeCalls = 8.2
	// runPuts and paymentPuts are numbers of files: the run's files, and a payment's signed and
	// landed transactions.
	runPuts, paymentPuts = 10.0, 2.0
)

const (
	// otherPayments is the number of a run's other transactions: accounts, burn, exchange, memo.
	otherPayments = 4
	// mustCollect is the share of holders' accounts with enough tax to collect.
	mustCollect = 1.0
	// baseFee is the fee of a transaction with one signature (Solana documentation, "Fees").
	// priorityFee is the price of its compute units at the first offer. Both are in lamports.
	baseFee, priorityFee = 5_000, 2_000
	// finality is the time from sending a transaction until the service knows that it is final, and
	// so the time for which a receipt's rent is lent. Mainnet finalizes a slot within 150 ms
	// (Alpenglow). 1,667 payouts on Agave 4.2.0 were final 0.97 s after the first sending.
	finality = time.Second
	// scans is the number of times that a run lists the token's accounts: once for withheld tax,
	// and once for holders. A failed listing is repeated.
	scans = 2
	// steps is the number of a run's steps in addition to payments, over all calls.
	steps = 15
	// slotCalls is the number of a run's messages, and so of distributor's invocations: the message
	// of the slot. A chunk that is handed out takes chunkCalls messages, to payer and back
	// (package run, TestRunTakesFewMessages).
	slotCalls, chunkCalls = 1, 2
	// waits is the number of a run's consecutive waits for finality: accounts, tax, burn, exchange,
	// creator, holders, receipts, memo. waited is the duration of a wait within the call, in
	// seconds, with Alpenglow. A longer wait takes a message.
	waits, waited = 8, 0.4
	// rowBytes is the size of a holder's data in a run's files, from snapshot to proof.
	rowBytes = 700.0
	// proofRows is the number of rows in a proof's file (package proof).
	proofRows = 512
)

const (
	payerGB, distributorGB = usualGB, processorGB
	// planning is the time of one processor for a holder's part in snapshot, plan and proof, in
	// seconds: 22 s for a million holders.
	planning = 22.0 / million
)

// run is the demand and the cost of a distribution.
type run struct {
	holders, batches, payments float64
	writes, reads              float64
	puts, macs                 float64
	nodeCalls                  float64
	payerSeconds               float64
	distributorSeconds         float64
	// calls is the number of invocations of both functions. Each takes a message.
	calls float64
	// receipts is the maximum number of simultaneous receipts, and rent their rent, in SOL.
	receipts, rent float64
	// atLeast is the duration of the payments until the return of the receipts, if all payments are
	// simultaneous.
	atLeast time.Duration
	dollars float64
	sol     float64
}

// runOf returns the demand of a run with payments in SOL to a number of holders.
func runOf(holders float64) run {
	r := run{holders: holders}
	r.batches = math.Ceil(holders / payout.SOLBatchV1)
	collects := math.Ceil(mustCollect * holders / payout.CollectBatchV1)
	r.payments = r.batches + collects + math.Ceil(r.batches/payout.ReturnBatchV1) + otherPayments
	r.writes = runWrites + paymentWrites*r.payments
	r.reads = runReads + paymentReads*r.payments
	r.nodeCalls = runNodeCalls + paymentNodeCalls*r.payments
	r.puts = runPuts + paymentPuts*r.payments
	r.macs = r.payments + r.batches // for signing, and for the seeds of receipts
	perPayment := aloneNodeCalls*nodeCall + (paymentWrites+paymentReads)/3*storeCall + 2*keyCall + fileCall
	// The distributor works on a single chunk itself, with many concurrent payments.
	r.calls = slotCalls
	turns := otherPayments + math.Ceil(r.batches/payout.ReturnBatchV1)
	for _, batches := range []float64{collects, r.batches} {
		if chunks := math.Ceil(batches / payout.MaxStripe); chunks > 1 {
			r.calls += chunkCalls * chunks
			r.payerSeconds += batches * perPayment
		} else {
			turns += math.Ceil(batches / paymentsAtOnce)
		}
	}
	r.distributorSeconds = steps*(4*storeCall+2*nodeCall+fileCall) + turns*perPayment + waits*waited + holders*planning
	r.receipts = r.batches
	r.rent = r.receipts * receiptRent / lamportsPerSOL
	r.atLeast = 3 * finality // collection, payment, return of receipts
	files := r.puts + holders/proofRows*2
	messages := 3 * r.calls // send, receive, delete
	r.dollars = r.writes*priceWrite + r.reads*priceRead +
		(r.payerSeconds*payerGB+r.distributorSeconds*distributorGB)*priceGBSecond +
		r.calls*priceInvocation + messages*priceMessage +
		files*(pricePut+priceGet) + r.macs*priceMAC +
		(r.calls*nodeLine+(r.calls+r.payments)*requestLine)*logByte
	r.sol = r.payments * (baseFee + priorityFee) / lamportsPerSOL
	return r
}

const (
	// receiptRent is the minimum balance of an account without data, in lamports: 128 bytes of
	// 5,080 each on mainnet in November 2026.
	receiptRent = 650_240
	// The sizes of log lines in bytes, measured on the local stack. Lambda adds no line to an
	// invocation that succeeds: the level of the platform's lines is WARN (infra/stack/function.go).
	//
	// requestLine is the line of a request or of a payment, with its metrics. nodeLine is the line
	// with the metrics of a node, one for an invocation. gatewayLine is the line of the access log.
	// scheduledLine is the mean output of the functions of each minute.
	requestLine, nodeLine, gatewayLine, scheduledLine = 500.0, 430.0, 250.0, 600.0
	logByte                                           = priceLogGB / bytesPerGB
)
