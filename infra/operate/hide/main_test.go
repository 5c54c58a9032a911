package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

var (
	first, second = solana.PublicKey{1}, solana.PublicKey{2}
	unlisted      = solana.PublicKey{3}
	unknown       = solana.PublicKey{4}
)

// table has two tokens on the lists, and one whose launch is under way.
func table(t *testing.T) (*dynamodb.Client, string) {
	t.Helper()
	stack := localnet.AWS(t)
	client, name := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Launch)
	for n, mint := range []solana.PublicKey{first, second, unlisted} {
		item := key(mint)
		item["mint"] = &types.AttributeValueMemberB{Value: mint[:]}
		item["creator"] = &types.AttributeValueMemberB{Value: unknown[:]}
		item["visible"] = &types.AttributeValueMemberBOOL{Value: true}
		if mint != unlisted {
			item["listEntry"] = &types.AttributeValueMemberN{Value: string(rune('0' + n))}
			item["creatorEntry"] = item["listEntry"]
		}
		if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	return client, name
}

func key(mint solana.PublicKey) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: "TOKEN#" + mint.String()}, "sk": &types.AttributeValueMemberS{Value: "TOKEN"},
	}
}

func visible(t *testing.T, client *dynamodb.Client, table string, mint solana.PublicKey) bool {
	t.Helper()
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: key(mint), ConsistentRead: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item["visible"].(*types.AttributeValueMemberBOOL).Value
}

func TestHideAndShow(t *testing.T) {
	client, name := table(t)
	tokens := launchtable.Tokens{Client: client, Table: name}
	command := func(arguments ...string) (string, error) {
		t.Helper()
		c, err := parse(arguments)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = c.make(t.Context(), tokens, &out)
		return out.String(), err
	}
	for range 2 { // the second time changes nothing
		if out, err := command(first.String()); err != nil || out != first.String()+": hidden\n" {
			t.Fatalf("%q, %v", out, err)
		}
		if visible(t, client, name, first) || !visible(t, client, name, second) {
			t.Fatal("another token is hidden")
		}
	}
	out, err := command(unknown.String(), unlisted.String(), second.String())
	if err == nil || out != second.String()+": hidden\n" || visible(t, client, name, second) {
		t.Errorf("the token after those that cannot be hidden: %q, %v", out, err)
	}
	for _, want := range []string{unknown.String() + ": the table has no token", unlisted.String() + ": its launch is not confirmed"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	for range 2 {
		if out, err := command("--show", first.String(), second.String()); err != nil || strings.Count(out, ": shown\n") != 2 {
			t.Errorf("%q, %v", out, err)
		}
		if !visible(t, client, name, first) || !visible(t, client, name, second) {
			t.Error("not shown again")
		}
	}
}

func TestArguments(t *testing.T) {
	for name, c := range map[string]struct {
		arguments []string
		want      string
	}{
		"none":         {nil, "name the mints"},
		"no mint":      {[]string{"--show"}, "name the mints"},
		"not a mint":   {[]string{first.String(), "x"}, `"x" is not the address of a mint; nothing was changed`},
		"other option": {[]string{"--now", first.String()}, "usage: hide"},
	} {
		if _, err := parse(c.arguments); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("LAUNCH_TABLE", "")
	if err := run(t.Context(), []string{first.String()}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "LAUNCH_TABLE") {
		t.Errorf("without a table: %v", err)
	}
}
