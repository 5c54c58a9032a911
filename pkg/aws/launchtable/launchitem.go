package launchtable

import (
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// launchItem is how a launch is stored. Times are Unix milliseconds. An item of 1 KB at
// most costs one unit to write, and most stay below when they are issued: no message is
// in it but its digest, and the token's record has short names.
type launchItem struct {
	Key string `dynamodbav:"pk"` // of which dynamo.NewItem makes the launch's
	// Messages only grows, so a message is known by its place.
	Messages     []messageItem `dynamodbav:"messages,omitempty"`
	NonceAccount []byte        `dynamodbav:"n,omitempty"`
	NonceValue   []byte        `dynamodbav:"v,omitempty"`
	CreatedAt    int64         `dynamodbav:"createdAt"`
	ValidUntil   int64         `dynamodbav:"validUntil"`
	Status       string        `dynamodbav:"status"`
	// Signature is that of the message that landed or was submitted last, Tries how many
	// were submitted.
	Signature   []byte     `dynamodbav:"signature,omitempty"`
	Tries       int        `dynamodbav:"tries,omitempty"`
	SubmittedAt int64      `dynamodbav:"submittedAt,omitempty"`
	SubmittedIn uint64     `dynamodbav:"submittedSlot,omitempty"`
	Reason      string     `dynamodbav:"reason,omitempty"`
	Draft       *draftItem `dynamodbav:"draft,omitempty"`
	Units       uint32     `dynamodbav:"u,omitempty"`
	Price       uint64     `dynamodbav:"g,omitempty"` // micro-lamports for a unit
	MintRent    uint64     `dynamodbav:"r,omitempty"`
	Funding     uint64     `dynamodbav:"f,omitempty"`
}

// messageItem is how a message of a launch is stored.
type messageItem struct {
	Digest     []byte `dynamodbav:"d"`
	MintSigned []byte `dynamodbav:"m"`
	LastValid  uint64 `dynamodbav:"v,omitempty"`
	Signature  []byte `dynamodbav:"s,omitempty"`
	Signed     []byte `dynamodbav:"x,omitempty"`
}

func newMessageItem(m transaction.Message) messageItem {
	return messageItem{Digest: m.Digest[:], MintSigned: m.MintSigned[:], LastValid: m.LastValid}
}

func (i messageItem) message() transaction.Message {
	return transaction.Message{
		Digest: dynamo.PublicKey(i.Digest), MintSigned: dynamo.Signature(i.MintSigned), LastValid: i.LastValid,
		Signature: dynamo.Signature(i.Signature), Signed: i.Signed,
	}
}

// draftItem is the record of the token to be, with all that it has before its launch.
type draftItem struct {
	ID             string `dynamodbav:"i"`
	Mint           []byte `dynamodbav:"m"`
	Creator        []byte `dynamodbav:"c"`
	Name           string `dynamodbav:"n"`
	Symbol         string `dynamodbav:"s"`
	Description    string `dynamodbav:"d,omitempty"`
	ImageCID       string `dynamodbav:"p"`
	MetadataCID    string `dynamodbav:"f"`
	Decimals       int    `dynamodbav:"e"`
	Supply         uint64 `dynamodbav:"q"`
	TransferFeeBps int    `dynamodbav:"b"`
	FeeAdjustable  bool   `dynamodbav:"j,omitempty"`
	Immutable      bool   `dynamodbav:"z,omitempty"`
	WalletID       string `dynamodbav:"l"`
	WalletAddress  []byte `dynamodbav:"a"`
	CreatedAt      int64  `dynamodbav:"at"`

	linksItem
	settingsAttributes
}

func newLaunchItem(l launch.Launch) launchItem {
	item := launchItem{
		NonceAccount: bytesOf(l.Nonce.Account), NonceValue: bytesOf(solana.PublicKey(l.Nonce.Value)),
		CreatedAt: l.CreatedAt.UnixMilli(), ValidUntil: l.ExpiresAt.UnixMilli(),
		Status: string(l.Status), Draft: newDraftItem(l.Token),
		Units: l.Terms.Units, Price: l.Terms.PriceMicroLamports, MintRent: l.Terms.MintRentLamports, Funding: l.Terms.FundingLamports,
	}
	for _, m := range l.Messages {
		item.Messages = append(item.Messages, newMessageItem(m))
	}
	return item
}

func newDraftItem(r token.Record) *draftItem {
	return &draftItem{
		ID: r.ID, Mint: r.Mint[:], Creator: r.Creator[:], Name: r.Name, Symbol: r.Symbol, Description: r.Description,
		ImageCID: r.ImageCID, MetadataCID: r.MetadataCID,
		Decimals: r.Decimals, Supply: r.Supply, TransferFeeBps: r.TransferFeeBps,
		FeeAdjustable: r.FeeAdjustable, Immutable: r.Immutable,
		WalletID: r.Wallet.ID, WalletAddress: r.Wallet.Address[:], CreatedAt: r.CreatedAt.UnixMilli(),
		linksItem: linksItem(r.Links), settingsAttributes: settingsAttributes(r.Settings),
	}
}

// record is the token's as it was when the launch was issued.
func (i draftItem) record() token.Record {
	return token.Record{
		ID: i.ID, Mint: dynamo.PublicKey(i.Mint), Creator: dynamo.PublicKey(i.Creator), Name: i.Name, Symbol: i.Symbol, Description: i.Description,
		ImageCID: i.ImageCID, MetadataCID: i.MetadataCID, Links: token.Links(i.linksItem),
		Status: token.Submitted, Decimals: i.Decimals, Supply: i.Supply, TransferFeeBps: i.TransferFeeBps,
		FeeAdjustable: i.FeeAdjustable, Immutable: i.Immutable,
		Wallet: token.Wallet{ID: i.WalletID, Address: dynamo.PublicKey(i.WalletAddress)}, CreatedAt: time.UnixMilli(i.CreatedAt).UTC(),
		SettingsVersion: terms.LaunchVersion, Settings: terms.Settings(i.settingsAttributes),
	}
}

func (i launchItem) launch() launch.Launch {
	l := launch.Launch{
		Prepared: transaction.Prepared{
			ID:        strings.TrimPrefix(i.Key, launchPrefix),
			Nonce:     transaction.Nonce{Account: dynamo.PublicKey(i.NonceAccount), Value: solana.Hash(dynamo.PublicKey(i.NonceValue))},
			CreatedAt: time.UnixMilli(i.CreatedAt).UTC(), ExpiresAt: time.UnixMilli(i.ValidUntil).UTC(),
			Status: transaction.Status(i.Status), Signature: dynamo.Signature(i.Signature),
			SubmittedSlot: i.SubmittedIn, Reason: i.Reason,
		},
		Terms: launch.Terms{Units: i.Units, PriceMicroLamports: i.Price, MintRentLamports: i.MintRent, FundingLamports: i.Funding},
	}
	for _, m := range i.Messages {
		l.Messages = append(l.Messages, m.message())
	}
	if i.SubmittedAt != 0 {
		l.SubmittedAt = time.UnixMilli(i.SubmittedAt).UTC()
	}
	if i.Draft != nil {
		l.Token = i.Draft.record()
	}
	l.Caller, l.Mint = l.Token.Creator, l.Token.Mint
	return l
}

func bytesOf(k solana.PublicKey) []byte {
	if k.IsZero() {
		return nil
	}
	return k[:]
}
