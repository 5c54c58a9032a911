package checks_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The scanner finds what would cost us something, planted in files like ours, and
// leaves alone what only looks like it. The planted ones are made up for each run.
func TestScannerFindsPlantedSecrets(t *testing.T) {
	const scanner = "../../.local/bin/gitleaks"
	if _, err := os.Stat(scanner); err != nil {
		t.Skip("gitleaks is not installed: run make secrets")
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	numbers := strings.ReplaceAll(fmt.Sprintf("%d", []byte(key)), " ", ",")
	id := hex.EncodeToString(key[:16])
	uuid := id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:32]
	letters := base58(key)
	for name, c := range map[string]struct {
		text  string
		found bool
	}{
		"creator.json":       {numbers, true},
		"wallet.go":          {`const secretKey = "` + base58(key) + `"`, true},
		"key.pem":            {string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})), true},
		"rpc.yaml":           {"rpcUrl: https://mainnet.helius-rpc.com/?api-key=" + uuid, true},
		"aws.env":            {"AWS_ACCESS_KEY_ID=AKIA" + strings.ToUpper(only(letters, "ABCDEFGHJKLMNPQRSTUVWXYZ234567", 16)), true},
		"telegram.env":       {"TELEGRAM_BOT_TOKEN=123456789:A" + only(letters+letters, "", 34), true},
		"github.env":         {"T=ghp_" + only(letters, "", 36), true},
		"pinata.go":          {`const token = "` + jwt(key) + `"`, true},
		"address.json":       {`{"tokenMint": "` + base58(key[32:]) + `", "payer": "` + base58(key[32:]) + `"}`, false},
		"events/sample.json": {`{"authorization": "Bearer ` + jwt(key) + `"}`, false},
	} {
		folder := t.TempDir()
		file := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(c.text), 0o600)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(context.Background(), scanner, "dir", folder, "--config", "../tools/gitleaks.toml", "--no-banner", "--redact", "--verbose", "--log-level", "error")
		out, err := cmd.CombinedOutput()
		if (err != nil) != c.found {
			t.Errorf("%s: found %v, want %v\n%s\n%s", name, err != nil, c.found, c.text, out)
		}
	}
}

func base58(b []byte) string {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	var text []byte
	for n, rest := new(big.Int).SetBytes(b), new(big.Int); n.Sign() > 0; {
		n.DivMod(n, big.NewInt(58), rest)
		text = append([]byte{alphabet[rest.Int64()]}, text...)
	}
	return string(text)
}

// only returns the first letters of a text up to a length, of those allowed when any are named.
func only(text, allowed string, length int) string {
	var out []byte
	for i := 0; len(out) < length; i++ {
		letter := text[i%len(text)]
		if allowed != "" && !strings.ContainsRune(allowed, rune(letter)) {
			letter = allowed[(int(letter)+i)%len(allowed)]
		}
		out = append(out, letter)
	}
	return string(out)
}

func jwt(key []byte) string {
	letters := base58(key)
	return "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ" + letters[:40] + "." + letters[40:83]
}
