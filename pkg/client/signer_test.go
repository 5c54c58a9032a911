package client_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/client"
)

var seed = bytes.Repeat([]byte{77}, ed25519.SeedSize)

// keygen is a key as solana-keygen writes it.
func keygen(private []byte) []byte {
	numbers := make([]int, len(private))
	for i, b := range private {
		numbers[i] = int(b)
	}
	text, _ := json.Marshal(numbers)
	return text
}

func TestKeyFiles(t *testing.T) {
	private := ed25519.NewKeyFromSeed(seed)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"key.json": keygen(private), "key.txt": []byte(base58.Encode(private) + "\n"), "key.pem": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}),
	} {
		path := filepath.Join(t.TempDir(), name)
		for mode, want := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true} {
			_ = os.Remove(path)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			k, exposed, err := client.LoadKey(path)
			if err != nil || exposed != want || !bytes.Equal(k.PublicKey().Bytes(), private.Public().(ed25519.PublicKey)) {
				t.Errorf("%s %o: %v, exposed %v, %v", name, mode, k, exposed, err)
			}
		}
	}
}

// However a key is printed, its bytes do not show; nor do they in errors.
func TestKeysAreNotShown(t *testing.T) {
	private := ed25519.NewKeyFromSeed(seed)
	k, err := client.KeyOf(private)
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		fmt.Fprintf(&shown, verb+verb+verb+"\n", k, &k, []any{k})
	}
	text, _ := json.Marshal([]any{k})
	shown.Write(text)
	other := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{78}, ed25519.SeedSize))
	for name, bad := range map[string][]byte{
		"halves of two keys": keygen(append(append([]byte(nil), seed...), other[32:]...)),
		"too short":          keygen(private[:63]),
		"too large numbers":  []byte(strings.Replace(string(keygen(private)), "77", "777", 1)),
		"base64":             []byte(`"TU1NTU1NTU1NTU1NTU1NTU1NTU1NTU1NTU1NTU1NTU0="`),
		"other PEM":          pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: seed}),
		"base58 of a seed":   []byte(base58.Encode(seed)),
		"base58 of two keys": []byte(base58.Encode(append(append([]byte(nil), seed...), other[32:]...))),
		"wrong base58":       []byte(base58.Encode(private) + "0"),
		"nothing":            nil,
	} {
		_, err := client.ParseKey(bad)
		if err == nil {
			t.Errorf("%s is read", name)
			continue
		}
		fmt.Fprintln(&shown, err)
	}
	for _, secret := range []string{base58.Encode(seed)[:4], base58.Encode(private)[:4], "4d4d", "4D4D", "77 77", "77,77", "MMMM", "TU1N"} {
		if strings.Contains(shown.String(), secret) {
			t.Errorf("the key shows as %s in\n%s", secret, shown.String())
		}
	}
	if !strings.Contains(shown.String(), k.PublicKey().String()) {
		t.Error("the address does not show")
	}
}
