package main

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dynamotypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// replicaRegion is another one than the local stack's.
const replicaRegion = "eu-west-1"

func newKey(t *testing.T, client *awskms.Client) *types.KeyMetadata {
	t.Helper()
	made, err := client.CreateKey(t.Context(), &awskms.CreateKeyInput{
		KeySpec: types.KeySpecHmac512, KeyUsage: types.KeyUsageTypeGenerateVerifyMac, MultiRegion: aws.Bool(true),
	})
	if err != nil {
		t.Fatal(err)
	}
	return made.KeyMetadata
}

// The drill passes with the key and with its replica in another Region, and with no
// other key.
func TestReplicaDerivesSameWallets(t *testing.T) {
	stack := localnet.AWS(t)
	config := stack.Config(t.Context())
	client := awskms.NewFromConfig(config)
	primary, other, unknown := newKey(t, client), newKey(t, client), newKey(t, client)
	for _, key := range []*types.KeyMetadata{primary, other} {
		if _, err := client.ReplicateKey(t.Context(), &awskms.ReplicateKeyInput{KeyId: key.KeyId, ReplicaRegion: aws.String(replicaRegion)}); err != nil {
			t.Fatal(err)
		}
	}

	table := stack.CreateTable(t, schema.Launch)
	var o options
	both := *primary.Arn + "," + *other.Arn
	for root := range uint8(3) {
		root /= 2 // the last one was launched after a rotation
		id, mint := uuid.NewString(), solana.NewWallet().PublicKey()
		address, err := deriver(config, options{key: both}).Address(t.Context(), wallet.Path(id, root))
		if err != nil {
			t.Fatal(err)
		}
		o.mints = append(o.mints, mint)
		_, err = dynamodb.NewFromConfig(config).PutItem(t.Context(), &dynamodb.PutItemInput{
			TableName: &table, Item: map[string]dynamotypes.AttributeValue{
				"pk":            &dynamotypes.AttributeValueMemberS{Value: "TOKEN#" + mint.String()},
				"sk":            &dynamotypes.AttributeValueMemberS{Value: "TOKEN"},
				"mint":          &dynamotypes.AttributeValueMemberB{Value: mint[:]},
				"walletId":      &dynamotypes.AttributeValueMemberS{Value: id},
				"walletAddress": &dynamotypes.AttributeValueMemberB{Value: address[:]},
				"walletRoot":    &dynamotypes.AttributeValueMemberN{Value: strconv.Itoa(int(root))},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	records, err := tokens(t.Context(), launchtable.Tokens{Client: dynamo.New(config), Table: table}, o)
	if err != nil || len(records) != len(o.mints) {
		t.Fatalf("%d tokens, %v", len(records), err)
	}

	replica := strings.ReplaceAll(both, config.Region, replicaRegion)
	tests := []struct {
		name      string
		o         options
		said, err string
	}{
		{"primary", options{key: both}, "3 of 3 wallets", ""},
		{"replica", options{key: replica, region: replicaRegion}, "3 of 3 wallets", ""},
		{"another key", options{key: *other.Arn + "," + *primary.Arn}, "0 of 3 wallets", "3 wallets derive to another address"},
	}
	for _, test := range tests {
		var out bytes.Buffer
		err := compare(t.Context(), &out, deriver(config, test.o), records)
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %v, want %q", test.name, err, test.err)
		}
		if !strings.Contains(out.String(), test.said) {
			t.Errorf("%s says %q, want %q", test.name, out.String(), test.said)
		}
	}
	// A key that is not there is no difference of addresses: nothing was compared.
	var out bytes.Buffer
	if err := compare(t.Context(), &out, deriver(config, options{key: *unknown.Arn, region: replicaRegion}), records); err == nil || out.Len() > 0 {
		t.Errorf("without a key: %v, %q", err, out.String())
	}
}

func TestNothingToCompareIsAFailure(t *testing.T) {
	if err := compare(t.Context(), &bytes.Buffer{}, nil, nil); err == nil || !strings.Contains(err.Error(), "shows nothing") {
		t.Errorf("no tokens: %v", err)
	}
}

func TestReadOptions(t *testing.T) {
	mint := "BtM3wbRDTBVn4GzLby4TgwNb4e1Kmr5zP9nEz89CtXKL"
	o, err := readOptions([]string{"-function", "deriver", "-region", replicaRegion, "-tokens", "5", mint})
	if err != nil || o.function != "deriver" || o.region != replicaRegion || o.tokens != 5 || len(o.mints) != 1 || o.mints[0].String() != mint {
		t.Errorf("%+v, %v", o, err)
	}
	tests := map[string][]string{
		"give one of -function":        {"-region", replicaRegion},
		"the name of a deriver":        {"-function", "deriver", "-key", "x"},
		"-tokens is 101":               {"-key", "x", "-tokens", "101"},
		"-tokens is 0":                 {"-key", "x", "-tokens", "0"},
		"not the address of a mint":    {"-key", "x", "mint"},
		"flag provided but not define": {"-alias", "x"},
	}
	for want, arguments := range tests {
		if _, err := readOptions(arguments); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", arguments, err, want)
		}
	}
}
