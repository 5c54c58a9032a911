package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// The authorizer reads the revocations that the command writes: of those wallets, and until now.
func TestRevokeSignsWalletsOut(t *testing.T) {
	local := localnet.AWS(t)
	store := windowtable.Revocations{Client: dynamo.New(local.Config(t.Context())), Table: local.CreateTable(t, schema.Window)}
	s := deployWith(t, "signed-out", map[string]string{"WindowTableName": store.Table})
	now := time.Now().Truncate(time.Second)
	authorizer := &jwt.CachedRevocations{Fetch: store.Revocations, Now: func() time.Time { return now }}
	if list, err := authorizer.Revocations(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v, %v before the first", list, err)
	}
	first, second := solana.NewWallet().PublicKey().String(), solana.NewWallet().PublicKey().String()
	s.operate("revoke", s.name, first, second)
	if list, err := authorizer.Revocations(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%v, %v within %s", list, err, jwt.RevokedWithin)
	}
	now = now.Add(jwt.RevokedWithin)
	list, err := authorizer.Revocations(t.Context())
	s.must(err)
	if len(list) != 2 || list[first].Before(now.Add(-jwt.RevokedWithin)) || list[second] != list[first] {
		t.Errorf("%v", list)
	}

	// An earlier moment takes nothing back, a later one counts.
	s.must(store.Revoke(t.Context(), first, list[first].Add(-time.Hour), "test"))
	s.must(store.Revoke(t.Context(), second, list[second].Add(time.Hour), "test"))
	after, err := store.Revocations(t.Context())
	s.must(err)
	if after[first] != list[first] || after[second] != list[second].Add(time.Hour) {
		t.Errorf("%v after %v", after, list)
	}

	do, err := parse([]string{"revoke", s.name, solana.NewWallet().PublicKey().String(), "no wallet"})
	s.must(err)
	if err := do(t.Context(), s.config, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "no wallet") {
		t.Errorf("%v", err)
	}
	if unchanged, err := store.Revocations(t.Context()); err != nil || len(unchanged) != 2 {
		t.Errorf("%v, %v: a command that was refused has written", unchanged, err)
	}
}
