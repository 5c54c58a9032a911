package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
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

// fixture is a table with two tokens on the lists, and one whose launch is under way.
type fixture struct {
	*testing.T

	config aws.Config
	client *dynamodb.Client
	table  string
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	stack := localnet.AWS(t)
	w := fixture{t, stack.Config(t.Context()), dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Launch)}
	for n, mint := range []solana.PublicKey{first, second, unlisted} {
		item := key(mint)
		item["mint"] = &types.AttributeValueMemberB{Value: mint[:]}
		item["creator"] = &types.AttributeValueMemberB{Value: unknown[:]}
		item["visible"] = &types.AttributeValueMemberBOOL{Value: true}
		item["imageCid"] = &types.AttributeValueMemberS{Value: "picture"}
		item["metadataCid"] = &types.AttributeValueMemberS{Value: "metadata-" + string(rune('0'+n))}
		if mint != unlisted {
			item["listEntry"] = &types.AttributeValueMemberN{Value: string(rune('0' + n))}
			item["creatorEntry"] = item["listEntry"]
		}
		if _, err := w.client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &w.table, Item: item}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func key(mint solana.PublicKey) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: "TOKEN#" + mint.String()}, "sk": &types.AttributeValueMemberS{Value: "TOKEN"},
	}
}

func (w fixture) visible(mint solana.PublicKey) bool {
	w.Helper()
	out, err := w.client.GetItem(w.Context(), &dynamodb.GetItemInput{TableName: &w.table, Key: key(mint), ConsistentRead: new(true)})
	if err != nil {
		w.Fatal(err)
	}
	return out.Item["visible"].(*types.AttributeValueMemberBOOL).Value
}

func (w fixture) command(arguments ...string) (string, error) {
	w.Helper()
	o, err := parse(arguments)
	if err != nil {
		w.Fatal(err)
	}
	var out bytes.Buffer
	err = o.run(w.Context(), w.config, w.table, &out)
	return out.String(), err
}

func TestTakeDownAndUndo(t *testing.T) {
	w := newFixture(t)
	blocked := func(name string) bool {
		t.Helper()
		list, err := launchtable.Blocks{Client: w.client, Table: w.table}.Blocked(t.Context(), name, name)
		if err != nil || len(list) != 2 || list[0] != list[1] {
			t.Fatalf("%v, %v", list, err)
		}
		return list[0]
	}
	for range 2 { // the second time changes nothing
		out, err := w.command("--why", "an insult", "token", first.String())
		if err != nil || !strings.HasPrefix(out, "token "+first.String()+": taken down\n") || !strings.Contains(out, "unpinned within two minutes: picture, metadata-0\n") {
			t.Fatalf("%q, %v", out, err)
		}
		if w.visible(first) || !w.visible(second) {
			t.Fatal("another token is hidden")
		}
	}
	out, err := w.command("--why", "w", "listing", unknown.String(), unlisted.String(), second.String())
	if err == nil || out != "listing "+second.String()+": taken down\n" || w.visible(second) {
		t.Errorf("the token after those that cannot be hidden: %q, %v", out, err)
	}
	for _, want := range []string{unknown.String() + ": the table has no token", unlisted.String() + ": its launch is not confirmed"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	for range 2 {
		if out, err := w.command("--undo", "--why", "a mistake", "token", first.String(), second.String()); err != nil || strings.Count(out, ": no longer taken down\n") != 2 {
			t.Errorf("%q, %v", out, err)
		}
		if !w.visible(first) || !w.visible(second) {
			t.Error("not shown again")
		}
	}
	if out, err := w.command("--why", "w", "name", "Evil Coin"); err != nil || out != "name Evil Coin: taken down\n" || !blocked("EVIL coin") {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := w.command("--undo", "--why", "w", "name", "evilcoin"); err != nil || blocked("Evil Coin") {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := w.command("--why", "w", "picture", "a-cid"); err != nil || !strings.Contains(out, "invalidate /ipfs/a-cid and /images/a-cid.jpg") {
		t.Errorf("%q, %v", out, err)
	}
	out, err = w.command("log")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) != 11 || !strings.Contains(lines[0], `took down token "`+first.String()+`": "an insult"`) || strings.Count(out, "arn:aws:") != 11 {
		t.Errorf("%d lines, %v:\n%s", len(lines), err, out)
	}
}

func TestArguments(t *testing.T) {
	for name, c := range map[string]struct {
		arguments []string
		want      string
	}{
		"none":         {nil, "usage: takedown"},
		"no subject":   {[]string{"--why", "w", "token"}, "usage: takedown"},
		"other kind":   {[]string{"--why", "w", "proof", "cid"}, "usage: takedown"},
		"no reason":    {[]string{"token", first.String()}, "say why"},
		"blank reason": {[]string{"--why", " ", "token", first.String()}, "say why"},
		"other option": {[]string{"--now", "token", first.String()}, "usage: takedown"},
		"log of what":  {[]string{"--undo", "log"}, "usage: takedown"},
	} {
		if _, err := parse(c.arguments); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("LAUNCH_TABLE", "")
	if err := run(t.Context(), []string{"--why", "w", "name", "n"}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "LAUNCH_TABLE") {
		t.Errorf("without a table: %v", err)
	}
}
