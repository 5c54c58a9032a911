package tables

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// What is compared does the same: on the local chain every recipient of each encoding
// has his lamports, and a table's rent comes back.
func TestEachEncodingPaysOnTheChain(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Surfpool; not in short mode")
	}
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	c, err := carry(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	if c.legacy.recipients != 19 || c.tables.recipients != 50 || c.version1.recipients != 60 {
		t.Errorf("%d legacy, %d with tables, %d of version 1", c.legacy.recipients, c.tables.recipients, c.version1.recipients)
	}
	if c.table.rent != c.table.back || c.table.rent < 100_000*uint64(c.table.addresses) {
		t.Errorf("a table of %d locks %d lamports and gives %d back", c.table.addresses, c.table.rent, c.table.back)
	}
	if c.table.addresses != mostAddresses {
		t.Errorf("it has %d addresses", c.table.addresses)
	}
}

// Every payment is in one transaction: the composed runs leave nobody out.
func TestPackTakesEverybody(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	p, all := somebody(random), somekeys(random, 700)
	for _, e := range []encoding{legacy, looking(tablesOf(random, all[:400])), version1} {
		sizes, _, err := pack(p, e, p.payments(all))
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, n := range sizes {
			sum += n
		}
		if sum != len(all) {
			t.Errorf("%s: %d of %d", e.name, sum, len(all))
		}
	}
}

// A table that is not as it was thought to be is seen before anything is signed.
func TestAnotherTableIsSeen(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	p, all := somebody(random), somekeys(random, 30)
	meant := p.begin(p.payments(all))
	honest := tablesOf(random, all)[0]
	m, err := version0(p, meant, []table{honest})
	if err != nil {
		t.Fatal(err)
	}
	if err := same(m, meant, []table{honest}); err != nil {
		t.Error(err)
	}
	other := table{honest.address, append([]solana.PublicKey{somekeys(random, 1)[0]}, all[1:]...)}
	if err := same(m, meant, []table{other}); !errors.Is(err, errOther) {
		t.Errorf("with another first address: %v", err)
	}
}
