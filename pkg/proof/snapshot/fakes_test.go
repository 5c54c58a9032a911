package snapshot_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/content"
)

// key returns an address that a private key belongs to, always the same for n.
func key(n int) solana.PublicKey {
	seed := make([]byte, ed25519.SeedSize)
	binary.LittleEndian.PutUint64(seed, uint64(n))
	return solana.PublicKey(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
}

// offCurve returns an address that no private key belongs to.
func offCurve(t *testing.T, n int) solana.PublicKey {
	t.Helper()
	address, _, err := solana.FindProgramAddress([][]byte{{byte(n)}}, solana.TokenProgramID)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

var mint = key(-1)

// node is a chain with one mint, taxed or not, and its accounts, which tests change.
type node struct {
	accounts []snapshot.Account
	mints    []state // read one after the other; the last stays
	span     snapshot.Span
	programs map[solana.PublicKey]solana.PublicKey

	mu              sync.Mutex
	listed, lookups int
	largest         int     // look-up
	failures        []error // of listings
	unanswered      int     // look-ups
	during          func()  // called in the middle of a listing
}

// state is that of the mint at a slot.
type state struct{ slot, supply, withheld uint64 }

func (s state) data() []byte {
	data := make([]byte, 166, 278)
	binary.LittleEndian.PutUint64(data[36:], s.supply)
	data[44], data[45], data[165] = 6, 1, 1
	data = binary.LittleEndian.AppendUint16(data, 1) // TransferFeeConfig
	data = binary.LittleEndian.AppendUint16(data, 108)
	config := make([]byte, 108)
	binary.LittleEndian.PutUint64(config[64:], s.withheld)
	return append(data, config...)
}

func (n *node) FinalizedAccount(_ context.Context, address solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error) {
	if address != mint || len(n.mints) == 0 {
		return onchain.Account{}, 0, false, nil
	}
	s := n.mints[0]
	if len(n.mints) > 1 {
		n.mints = n.mints[1:]
	}
	return onchain.Account{Owner: solana.Token2022ProgramID, Data: s.data()}, s.slot, true, nil
}

func (n *node) TokenAccounts(_ context.Context, of solana.PublicKey, state token2022.Mint, _ uint64, each func(snapshot.Account) error) (snapshot.Span, error) {
	if state.Program != solana.Token2022ProgramID || of != mint {
		return snapshot.Span{}, errors.New("another mint")
	}
	n.listed++
	if len(n.failures) > 0 {
		err := n.failures[0]
		n.failures = n.failures[1:]
		return snapshot.Span{}, err
	}
	for i, a := range n.accounts {
		if i == len(n.accounts)/2 && n.during != nil {
			n.during()
		}
		if err := each(a); err != nil {
			return snapshot.Span{}, err
		}
	}
	return n.span, nil
}

var errBusy = errors.New("the node is busy")

func (n *node) Programs(_ context.Context, addresses []solana.PublicKey, _ uint64) ([]solana.PublicKey, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.unanswered > 0 {
		n.unanswered--
		return nil, errBusy
	}
	n.lookups++
	n.largest = max(n.largest, len(addresses))
	programs := make([]solana.PublicKey, len(addresses))
	for i, a := range addresses {
		programs[i] = n.programs[a]
	}
	return programs, nil
}

// settle makes the mint one to which the accounts add up.
func (n *node) settle(withheldOnMint uint64) {
	supply := withheldOnMint
	for _, a := range n.accounts {
		supply += a.Amount + a.Withheld
	}
	n.span = snapshot.Span{First: 100, Last: 100}
	n.mints = []state{{slot: 100, supply: supply, withheld: withheldOnMint}}
}

// shelf is a store in memory.
type shelf struct {
	mu    sync.Mutex
	files map[string][]byte
	puts  int
	reads int
}

func (s *shelf) PutFile(_ context.Context, key, _ string, body io.ReadSeeker, size int64) error {
	content, err := io.ReadAll(body)
	if err == nil && int64(len(content)) != size {
		err = errors.New("another size")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.files[key]; there || err != nil {
		return err
	}
	if s.files == nil {
		s.files = map[string][]byte{}
	}
	s.puts++
	s.files[key] = content
	return nil
}

func (s *shelf) Open(_ context.Context, key string) (io.ReadCloser, error) {
	body, there := s.files[key]
	if !there {
		return nil, content.ErrNoObject
	}
	return io.NopCloser(bytes.NewReader(body)), nil
}

func (s *shelf) GetRange(_ context.Context, key string, from, length int64) ([]byte, error) {
	body, there := s.files[key]
	if !there {
		return nil, content.ErrNoObject
	}
	s.reads++
	from = min(from, int64(len(body)))
	return bytes.Clone(body[from:min(from+length, int64(len(body)))]), nil
}

func noPause(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func snapshotter(t *testing.T, s *shelf, n *node) snapshot.Snapshotter {
	t.Helper()
	return snapshot.Snapshotter{Sources: []snapshot.Source{n}, Chain: n, Store: s, Folder: t.TempDir(), Pause: noPause}
}
