// Package consents keeps the codes and links of Telegram groups, in the launch table.
package consents

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/consent"
)

// Store implements consent.Store. The number of a group is negative, so it is no mint.
//
//	TELEGRAM#<mint>   LINK  the token's link, and the code that waits to be posted
//	TELEGRAM#<group>  CHAT  of a group that was linked: when it was unlinked, what it became
//	TELEGRAM#BOT      BOT   the bot's public name
type Store struct {
	Client *dynamodb.Client
	Table  string
}

func linkKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(schema.Groups+mint.String(), "LINK")
}

func chatKey(chat int64) map[string]types.AttributeValue {
	return dynamo.Key(schema.Groups+strconv.FormatInt(chat, 10), "CHAT")
}

func botKey() map[string]types.AttributeValue { return dynamo.Key(schema.Groups+"BOT", "BOT") }

// linkItem is how a token's link and code are stored. Times are Unix milliseconds.
type linkItem struct {
	Group     string `dynamodbav:"linkedGroup"`
	Chat      int64  `dynamodbav:"chat"`
	LinkedAt  int64  `dynamodbav:"linkedAt"`
	Code      []byte `dynamodbav:"code"`
	CodeGroup string `dynamodbav:"codeGroup"`
	CodeEnds  int64  `dynamodbav:"codeEnds"`
}

// Issue stores a pending code; see consent.Store.
func (s Store) Issue(ctx context.Context, mint solana.PublicKey, p consent.Pending) error {
	_, err := s.update(ctx, linkKey(mint), "SET code = :code, codeGroup = :group, codeEnds = :ends", "", map[string]types.AttributeValue{
		":code": dynamo.Binary(p.Hash[:]), ":group": dynamo.Text(p.Group), ":ends": dynamo.Number(p.ExpiresAt.UnixMilli()),
	})
	return err
}

// Find returns the link and the pending code of a token; see consent.Store.
func (s Store) Find(ctx context.Context, mint solana.PublicKey) (consent.Link, consent.Pending, error) {
	var item linkItem
	if _, err := dynamo.Get(ctx, s.Client, s.Table, linkKey(mint), &item); err != nil {
		return consent.Link{}, consent.Pending{}, err
	}
	p := consent.Pending{Group: item.CodeGroup, ExpiresAt: time.UnixMilli(item.CodeEnds)}
	copy(p.Hash[:], item.Code)
	return consent.Link{Group: item.Group, Chat: item.Chat, At: time.UnixMilli(item.LinkedAt)}, p, nil
}

// Use ends a pending code, and stores a link; see consent.Store. The group is stored first: without
// its item no link to the group counts.
func (s Store) Use(ctx context.Context, mint solana.PublicKey, code consent.Hash, link *consent.Link) error {
	change, values := "", map[string]types.AttributeValue{":code": dynamo.Binary(code[:])}
	if link != nil {
		if err := s.know(ctx, link.Chat); err != nil {
			return err
		}
		change = "SET linkedGroup = :group, chat = :chat, linkedAt = :at "
		values[":group"], values[":chat"], values[":at"] = dynamo.Text(link.Group), dynamo.Number(link.Chat), dynamo.Number(link.At.UnixMilli())
	}
	done, err := s.update(ctx, linkKey(mint), change+"REMOVE code, codeGroup, codeEnds", "code = :code", values)
	if err == nil && !done {
		return consent.ErrNotPending
	}
	return err
}

// know stores that a group is linked to some token, if that is not known.
func (s Store) know(ctx context.Context, chat int64) error {
	_, err := dynamo.PutOnce(ctx, s.Client, s.Table, chatKey(chat))
	return err
}

// Chat returns what is known of a group; see consent.Store.
func (s Store) Chat(ctx context.Context, chat int64) (consent.Chat, bool, error) {
	var item struct {
		UnlinkedAt int64 `dynamodbav:"unlinkedAt"`
		MovedTo    int64 `dynamodbav:"movedTo"`
	}
	found, err := dynamo.Get(ctx, s.Client, s.Table, chatKey(chat), &item)
	return consent.Chat{UnlinkedAt: time.UnixMilli(item.UnlinkedAt), MovedTo: item.MovedTo}, found, err
}

// Unlink ends the links of a group; see consent.Store.
func (s Store) Unlink(ctx context.Context, chat int64, at time.Time) error {
	_, err := s.update(ctx, chatKey(chat), "SET unlinkedAt = :at",
		"attribute_exists("+schema.PartitionKey+") AND (attribute_not_exists(unlinkedAt) OR unlinkedAt < :at)",
		map[string]types.AttributeValue{":at": dynamo.Number(at.UnixMilli())})
	return err
}

// Move stores that a group has become another; see consent.Store. The supergroup is stored first, so
// that it can be unlinked as soon as links lead there.
func (s Store) Move(ctx context.Context, from, to int64) error {
	known, found, err := s.Chat(ctx, from)
	if err != nil || !found || known.MovedTo != 0 || from == to {
		return err
	}
	if err := s.know(ctx, to); err != nil {
		return err
	}
	_, err = s.update(ctx, chatKey(from), "SET movedTo = :to", "attribute_exists("+schema.PartitionKey+") AND attribute_not_exists(movedTo)",
		map[string]types.AttributeValue{":to": dynamo.Number(to)})
	return err
}

// SetBot stores the public name of the bot.
func (s Store) SetBot(ctx context.Context, name string) error {
	_, err := s.update(ctx, botKey(), "SET bot = :name", "attribute_not_exists(bot) OR bot <> :name", map[string]types.AttributeValue{":name": dynamo.Text(name)})
	return err
}

// Bot returns the public name of the bot, or an empty text.
func (s Store) Bot(ctx context.Context) (string, error) {
	var item struct {
		Bot string `dynamodbav:"bot"`
	}
	_, err := dynamo.Get(ctx, s.Client, s.Table, botKey(), &item)
	return item.Bot, err
}

// update changes one item; done is false if the condition does not hold.
func (s Store) update(ctx context.Context, key map[string]types.AttributeValue, change, condition string, values map[string]types.AttributeValue) (done bool, err error) {
	in := &dynamodb.UpdateItemInput{TableName: &s.Table, Key: key, UpdateExpression: &change, ExpressionAttributeValues: values}
	if condition != "" {
		in.ConditionExpression = &condition
	}
	_, err = s.Client.UpdateItem(ctx, in)
	if dynamo.ConditionFailed(err) {
		return false, nil
	}
	if err != nil {
		return false, dynamo.Unavailable(fmt.Errorf("write the consent of a group: %w", err))
	}
	return true, nil
}
