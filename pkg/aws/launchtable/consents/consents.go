// Package consents keeps the codes and links of Telegram groups and private chats, in the launch
// table.
package consents

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/dueindex"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/digest"
)

// digestDue is the list of linked wallets in the due index, by the time of the next digest.
const digestDue = "DIGEST"

// forgetChat is the period after which an unlinked private chat is deleted. It exceeds digest.Period,
// after which the links of the chat are deleted, and Telegram's retention of updates, which is a day.
const forgetChat = 7 * 24 * time.Hour

// Store implements consent.Store and digest.Store. The number of a chat is neither a mint nor a wallet.
//
//	TELEGRAM#<mint>    LINK  the token's link, and the code that waits to be posted
//	TELEGRAM#<wallet>  LINK  the wallet's link and code; while linked duePk = DIGEST, and dueAt = the
//	                         time of the next digest. Without a link the item expires with the code
//	TELEGRAM#<chat>    CHAT  of a group or private chat that was linked: when it was unlinked, what it
//	                         became. An unlinked private chat expires
//	TELEGRAM#BOT       BOT   the bot's public name
type Store struct {
	Client *dynamodb.Client
	Table  string
}

func linkKey(of solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(schema.Groups+of.String(), "LINK")
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
	ToldAt    int64  `dynamodbav:"toldAt"`
	Code      []byte `dynamodbav:"code"`
	CodeGroup string `dynamodbav:"codeGroup"`
	CodeEnds  int64  `dynamodbav:"codeEnds"`
}

// Issue stores a pending code; see consent.Store. An item without a link expires with the code.
func (s Store) Issue(ctx context.Context, of solana.PublicKey, p consent.Pending) error {
	const change, unlinked = "SET code = :code, codeGroup = :group, codeEnds = :ends", "attribute_not_exists(chat)"
	values := map[string]types.AttributeValue{
		":code": dynamo.Binary(p.Hash[:]), ":group": dynamo.Text(p.Group), ":ends": dynamo.Number(p.ExpiresAt.UnixMilli()),
	}
	values[":expires"] = dynamo.Number(p.ExpiresAt.Unix())
	done, err := s.update(ctx, linkKey(of), change+", "+schema.ExpiresAt+" = :expires", unlinked, values)
	if err != nil || done {
		return err
	}
	delete(values, ":expires")
	_, err = s.update(ctx, linkKey(of), change, "", values)
	return err
}

// Find returns the link and the pending code of a token or wallet; see consent.Store.
func (s Store) Find(ctx context.Context, of solana.PublicKey) (consent.Link, consent.Pending, error) {
	var item linkItem
	if _, err := dynamo.Get(ctx, s.Client, s.Table, linkKey(of), &item); err != nil {
		return consent.Link{}, consent.Pending{}, err
	}
	p := consent.Pending{Group: item.CodeGroup, ExpiresAt: time.UnixMilli(item.CodeEnds)}
	copy(p.Hash[:], item.Code)
	return consent.Link{
		Group: item.Group, Chat: item.Chat, At: time.UnixMilli(item.LinkedAt), ToldAt: time.UnixMilli(item.ToldAt),
	}, p, nil
}

// Use ends a pending code, and stores a link; see consent.Store. The chat is stored first: without
// its item no link to the chat counts.
func (s Store) Use(ctx context.Context, of solana.PublicKey, code consent.Hash, link *consent.Link) error {
	change, remove, values := "", "REMOVE code, codeGroup, codeEnds", map[string]types.AttributeValue{":code": dynamo.Binary(code[:])}
	if link != nil {
		if err := s.know(ctx, link.Chat); err != nil {
			return err
		}
		change, remove = "SET linkedGroup = :group, chat = :chat, linkedAt = :at ", remove+", "+schema.ExpiresAt
		values[":group"], values[":chat"], values[":at"] = dynamo.Text(link.Group), dynamo.Number(link.Chat), dynamo.Number(link.At.UnixMilli())
		if link.Group == "" {
			change = "SET linkedGroup = :group, chat = :chat, linkedAt = :at, toldAt = :at, duePk = :list, dueAt = :due "
			values[":list"], values[":due"] = dynamo.Text(digestDue), dynamo.Number(digest.Due(link.At).UnixMilli())
		}
	}
	done, err := s.update(ctx, linkKey(of), change+remove, "code = :code", values)
	if err == nil && !done {
		return consent.ErrNotPending
	}
	return err
}

// know stores that a chat is linked, if that is not known.
func (s Store) know(ctx context.Context, chat int64) error {
	if chat > 0 { // the item of an unlinked private chat expires
		_, err := s.update(ctx, chatKey(chat), "SET isPrivate = :true REMOVE "+schema.ExpiresAt, "",
			map[string]types.AttributeValue{":true": &types.AttributeValueMemberBOOL{Value: true}})
		return err
	}
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

// Unlink ends the links of a chat; see consent.Store.
func (s Store) Unlink(ctx context.Context, chat int64, at time.Time) error {
	change, values := "SET unlinkedAt = :at", map[string]types.AttributeValue{":at": dynamo.Number(at.UnixMilli())}
	if chat > 0 {
		change += ", " + schema.ExpiresAt + " = :expires"
		values[":expires"] = dynamo.Number(at.Add(forgetChat).Unix())
	}
	_, err := s.update(ctx, chatKey(chat), change,
		"attribute_exists("+schema.PartitionKey+") AND (attribute_not_exists(unlinkedAt) OR unlinkedAt < :at)", values)
	return err
}

// Drop deletes the link and the code of a wallet; see consent.Store. The item leaves the due index, and
// expires.
func (s Store) Drop(ctx context.Context, wallet solana.PublicKey, now time.Time) error {
	_, err := s.update(ctx, linkKey(wallet),
		"SET "+schema.ExpiresAt+" = :expires REMOVE linkedGroup, chat, linkedAt, toldAt, duePk, dueAt, code, codeGroup, codeEnds",
		"attribute_exists("+schema.PartitionKey+")", map[string]types.AttributeValue{":expires": dynamo.Number(now.Unix())})
	return err
}

// Due lists the linked wallets whose digest is due, the longest due first; see digest.Store.
func (s Store) Due(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error) {
	entries, err := dueindex.Entries(ctx, s.Client, s.Table, digestDue, now, limit)
	if err != nil {
		return nil, err
	}
	wallets := make([]solana.PublicKey, 0, len(entries))
	for _, entry := range entries {
		// Other functions may write other items to any list.
		text, ours := strings.CutPrefix(dynamo.IDOf(entry).Partition, schema.Groups)
		if wallet, err := solana.PublicKeyFromBase58(text); ours && err == nil {
			wallets = append(wallets, wallet)
		}
	}
	return wallets, nil
}

// sameLink is the condition that a link was neither replaced nor advanced.
const sameLink = "linkedAt = :linked AND toldAt = :told"

func sameLinkValues(link consent.Link) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{":linked": dynamo.Number(link.At.UnixMilli()), ":told": dynamo.Number(link.ToldAt.UnixMilli())}
}

// Told stores the end of a digest; see digest.Store.
func (s Store) Told(ctx context.Context, wallet solana.PublicKey, link consent.Link, to time.Time) error {
	values := sameLinkValues(link)
	values[":to"], values[":due"] = dynamo.Number(to.UnixMilli()), dynamo.Number(digest.Due(to).UnixMilli())
	_, err := s.update(ctx, linkKey(wallet), "SET toldAt = :to, dueAt = :due", sameLink, values)
	return err
}

// Postpone stores the time of the next attempt; see digest.Store.
func (s Store) Postpone(ctx context.Context, wallet solana.PublicKey, link consent.Link, at time.Time) error {
	values := sameLinkValues(link)
	values[":due"] = dynamo.Number(at.UnixMilli())
	_, err := s.update(ctx, linkKey(wallet), "SET dueAt = :due", sameLink, values)
	return err
}

// Forget deletes an ended link; see digest.Store. A code stays until the item expires.
func (s Store) Forget(ctx context.Context, wallet solana.PublicKey, link consent.Link, now time.Time) error {
	values := sameLinkValues(link)
	values[":expires"] = dynamo.Number(now.Add(consent.CodeLifetime).Unix())
	_, err := s.update(ctx, linkKey(wallet),
		"SET "+schema.ExpiresAt+" = :expires REMOVE linkedGroup, chat, linkedAt, toldAt, duePk, dueAt", sameLink, values)
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
		return false, dynamo.Unavailable(fmt.Errorf("write the consent of a chat: %w", err))
	}
	return true, nil
}
