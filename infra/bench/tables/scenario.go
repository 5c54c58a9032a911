package tables

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/gagliardetto/solana-go"
)

// baseFee is what a transaction with one signature costs, in lamports.
const baseFee = 5_000

// scenario is a run with so many recipients, of whom a share was paid before and is in
// tables; the others are new. What it counts are transactions.
type scenario struct {
	recipients int
	recurring  float64
	legacy     int
	grouped    int // from tables, recipients of a table one after the other
	byAmount   int // from tables, in an order that has nothing to do with them
	version1   int
}

// compose composes every transaction of a scenario, and sends none.
func compose(recipients int, recurring float64) (s scenario, err error) {
	s = scenario{recipients: recipients, recurring: recurring}
	random := rand.New(rand.NewPCG(1, uint64(recipients))) //nolint:gosec // the same each time
	p, all := somebody(random), somekeys(random, recipients)
	known := all[:int(float64(recipients)*recurring)]
	tables := looking(tablesOf(random, known))
	count := func(e encoding, list []solana.PublicKey) int {
		sizes, _, failed := pack(p, e, p.payments(list))
		if failed != nil {
			err = failed
		}
		return len(sizes)
	}
	s.legacy, s.version1 = count(legacy, all), count(version1, all)
	s.grouped = count(tables, all)
	mixed := slices.Clone(all)
	random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	s.byAmount = count(tables, mixed)
	return s, err
}

// each gives the base fee of a recipient, in lamports.
func (s scenario) each(transactions int) float64 {
	return float64(transactions) * baseFee / float64(s.recipients)
}

// batches of tokens: how many recipients a transaction takes whose accounts exist.
func tokenBatches() (perLegacy, perTable, perVersion1 int, err error) {
	random := rand.New(rand.NewPCG(2, 2)) //nolint:gosec // the same each time
	p, mint, accounts := somebody(random), somekeys(random, 1)[0], somekeys(random, people)
	payments := p.tokenPayments(mint, accounts)
	for n, e := range []encoding{legacy, looking(tablesOf(random, accounts[1:])), version1} {
		sizes, _, err := pack(p, e, payments)
		if err != nil {
			return 0, 0, 0, err
		}
		*[]*int{&perLegacy, &perTable, &perVersion1}[n] = sizes[0]
	}
	return perLegacy, perTable, perVersion1, nil
}

// composing is the processor time that it takes to compile so many payments into batches
// of a size, in each encoding.
func composing(recipients, perLegacy, perTable, perVersion1 int) (took [3]time.Duration, err error) {
	random := rand.New(rand.NewPCG(3, 3)) //nolint:gosec // the same each time
	p, all := somebody(random), somekeys(random, recipients)
	encodings := []encoding{legacy, looking(tablesOf(random, all)), version1}
	for n, size := range []int{perLegacy, perTable, perVersion1} {
		runtime.GC()
		began := processorTime()
		for batch := range slices.Chunk(all, size) {
			// A batch over two tables is a little too long, and is divided.
			if err := halved(p, encodings[n], p.payments(batch)); err != nil {
				return took, err
			}
		}
		took[n] = processorTime() - began
	}
	return took, nil
}

// halved compiles a batch, in halves when it does not fit.
func halved(p payer, e encoding, batch []solana.Instruction) error {
	_, err := e.compile(p, batch)
	if err == nil || len(batch) == 1 {
		return err
	}
	return errors.Join(halved(p, e, batch[:len(batch)/2]), halved(p, e, batch[len(batch)/2:]))
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0 // never, for this process
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// tablesOf puts addresses into tables, each full but the last.
func tablesOf(random *rand.Rand, addresses []solana.PublicKey) (list []table) {
	for part := range slices.Chunk(addresses, mostAddresses) {
		list = append(list, table{address: somekeys(random, 1)[0], addresses: part})
	}
	return list
}

func somebody(random *rand.Rand) payer {
	three := somekeys(random, 3)
	return payer{wallet: three[0], lane: three[1], value: solana.Hash(three[2])}
}

// somekeys gives addresses that nobody has a key for.
func somekeys(random *rand.Rand, n int) []solana.PublicKey {
	list := make([]solana.PublicKey, n)
	for i := range list {
		for b := range list[i] {
			list[i][b] = byte(random.IntN(256)) //nolint:gosec // Under 256.
		}
	}
	return list
}
