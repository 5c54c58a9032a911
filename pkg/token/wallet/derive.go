package wallet

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// derivation is the prefix of the MAC's message, followed by the wallet's ID. The MAC is the seed
// of the wallet. A new version of the prefix may add a scheme, but must never replace this scheme.
const derivation = "distribution-wallet/v1/"

// MAC is a keyed hash, HMAC-SHA-512, whose key cannot be read.
type MAC interface {
	Sum512(ctx context.Context, message []byte) ([64]byte, error)
}

// Derivation derives the keys of wallets. Derivation implements Deriver.
type Derivation struct {
	// MAC is the first root.
	MAC MAC
	// Next are the further roots, oldest first: the root with number n is Next[n-1]. A root that was
	// replaced must stay, because wallets of the root may still sign.
	Next []MAC
}

// FromKeys returns the derivation by the keys of the roots, oldest first. mac returns the MAC of a key.
func FromKeys(mac func(keyID string) MAC, first string, further ...string) Derivation {
	d := Derivation{MAC: mac(first)}
	for _, id := range further {
		d.Next = append(d.Next, mac(id))
	}
	return d
}

// PrivateKey derives the key of a wallet by its Path. The caller clears the key after use, and never
// stores or logs the key.
func (d Derivation) PrivateKey(ctx context.Context, path string) (ed25519.PrivateKey, error) {
	id, root, ok := ParsePath(path)
	if !ok {
		return nil, fmt.Errorf("%.50q is not a wallet id", path)
	}
	key := d.MAC
	if root > 0 {
		if int(root) > len(d.Next) {
			return nil, fmt.Errorf("wallet %s: root %d is not set here", id, root)
		}
		key = d.Next[root-1]
	}
	mac, err := key.Sum512(ctx, []byte(derivation+id))
	if err != nil {
		return nil, fmt.Errorf("derive the key of wallet %s: %w", id, err)
	}
	defer clear(mac[:])
	return ed25519.NewKeyFromSeed(mac[:ed25519.SeedSize]), nil
}

// Address derives the address of a wallet by its Path.
func (d Derivation) Address(ctx context.Context, path string) (solana.PublicKey, error) {
	key, err := d.PrivateKey(ctx, path)
	if err != nil {
		return solana.PublicKey{}, err
	}
	defer clear(key)
	return solana.PublicKey(key[ed25519.SeedSize:]), nil // RFC 8032: seed, then public key
}

// Path names a wallet for a derivation: the wallet's ID, followed by a slash and the number of the
// root for a root other than the first.
func Path(id string, root uint8) string {
	if root == 0 {
		return id
	}
	return id + "/" + strconv.Itoa(int(root))
}

// ParsePath parses a Path, and returns the ID in lower case.
func ParsePath(path string) (id string, root uint8, ok bool) {
	text, number, further := strings.Cut(path, "/")
	if id, ok = ParseID(text); !ok || !further {
		return id, 0, ok
	}
	n, err := strconv.ParseUint(number, 10, 8)
	root = uint8(n)
	return id, root, err == nil && Path(id, root) == id+"/"+number
}
