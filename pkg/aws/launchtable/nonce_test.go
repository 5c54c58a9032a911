package launchtable_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// A free account may be leased, by only one caller.
func TestWhichAccountsCanBeLeased(t *testing.T) {
	b := openBooks(t)
	milli := func(after time.Duration) types.AttributeValue {
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(b.now.Add(after).UnixMilli(), 10)}
	}
	put := func(attributes map[string]types.AttributeValue) solana.PublicKey {
		t.Helper()
		address := key()
		item := map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "NONCE#" + address.String()}, "sk": &types.AttributeValueMemberS{Value: "NONCE"},
			"address": &types.AttributeValueMemberB{Value: address[:]}, "index": &types.AttributeValueMemberN{Value: "0"},
		}
		for name, value := range attributes {
			item[name] = value
		}
		_, err := b.nonces.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &b.nonces.Table, Item: item})
		must.Do(t, err)
		return address
	}
	other := &types.AttributeValueMemberS{Value: "other"}
	for name, c := range map[string]struct {
		stored map[string]types.AttributeValue
		free   bool
	}{
		"free":                    {map[string]types.AttributeValue{"dueAt": milli(0)}, true},
		"leased":                  {map[string]types.AttributeValue{"dueAt": milli(-time.Hour), "leaseTx": other, "leasedUntil": milli(time.Millisecond)}, false},
		"its lease has ended":     {map[string]types.AttributeValue{"dueAt": milli(-time.Hour), "leaseTx": other, "leasedUntil": milli(0)}, true},
		"due when its lease ends": {map[string]types.AttributeValue{"dueAt": milli(time.Millisecond), "leaseTx": other}, false},
		"held":                    {map[string]types.AttributeValue{"leaseTx": other}, false},
	} {
		t.Run(name, func(t *testing.T) {
			address := put(c.stored)
			seen, err := b.nonces.Accounts(t.Context(), []solana.PublicKey{address, key()}, true)
			must.Do(t, err)
			if len(seen) != 1 || seen[0].Free(b.now) != c.free {
				t.Errorf("%+v, want one, free: %t", seen, c.free)
			}
			took, err := b.nonces.Take(t.Context(), address, "new", b.now, b.now.Add(time.Minute))
			if taken := errors.Is(err, nonce.ErrTaken); taken == c.free || err != nil && !taken || took.Address != address {
				t.Errorf("%+v, %v; want it leased: %t", took, err, c.free)
			}
			if err == nil && (took.Free(b.now.Add(time.Minute-1)) || !took.Free(b.now.Add(time.Minute))) {
				t.Errorf("%+v is not leased for a minute", took)
			}
		})
	}
	if took, err := b.nonces.Take(t.Context(), key(), "new", b.now, b.now); !errors.Is(err, nonce.ErrTaken) || took != (nonce.Account{}) {
		t.Errorf("%+v, %v of an account that is not there", took, err)
	}
}
