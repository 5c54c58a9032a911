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

// launchItem is a stored launch. Times are Unix milliseconds. An item of at most 1 KB costs one
// write unit, and most launches are smaller at Issue, because a message is stored as a digest and
// the attributes of the token's record have short names.
type launchItem struct {
	Key string `dynamodbav:"pk"` // read only: dynamo.NewItem writes the launch's key
	// Messages only grows, so the index identifies a message.
	Messages     []messageItem `dynamodbav:"messages,omitempty"`
	NonceAccount []byte        `dynamodbav:"n,omitempty"`
	NonceValue   []byte        `dynamodbav:"v,omitempty"`
	CreatedAt    int64         `dynamodbav:"createdAt"`
	ValidUntil   int64         `dynamodbav:"validUntil"`
	Status       string        `dynamodbav:"status"`
	// Signature is the signature of the landed message, or of the message that was submitted last.
	// Tries is the number of submitted messages.
	Signature   []byte     `dynamodbav:"signature,omitempty"`
	Tries       int        `dynamodbav:"tries,omitempty"`
	SubmittedAt int64      `dynamodbav:"submittedAt,omitempty"`
	SubmittedIn uint64     `dynamodbav:"submittedSlot,omitempty"`
	Reason      string     `dynamodbav:"reason,omitempty"`
	Draft       *draftItem `dynamodbav:"draft,omitempty"`
	Units       uint32     `dynamodbav:"u,omitempty"`
	Price       uint64     `dynamodbav:"g,omitempty"` // micro-lamports for a unit
	MintRent    uint64     `dynamodbav:"r,omitempty"`
	// MultisigRent is zero for a token without a guardian.
	MultisigRent uint64 `dynamodbav:"rm,omitempty"`
	Funding      uint64 `dynamodbav:"f,omitempty"`
}

// messageItem is a stored message of a launch.
type messageItem struct {
	Digest    []byte `dynamodbav:"d"`
	LastValid uint64 `dynamodbav:"v,omitempty"`
	Signature []byte `dynamodbav:"s,omitempty"`
	Signed    []byte `dynamodbav:"x,omitempty"`
}

func newMessageItem(m transaction.Message) messageItem {
	return messageItem{Digest: m.Digest[:], LastValid: m.LastValid}
}

func (i messageItem) message() transaction.Message {
	return transaction.Message{
		Digest: dynamo.PublicKey(i.Digest), LastValid: i.LastValid,
		Signature: dynamo.Signature(i.Signature), Signed: i.Signed,
	}
}

// draftItem is the future record of the token, with all facts that are known before the launch.
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
	WalletRoot     uint8  `dynamodbav:"lr,omitempty"`
	Guardian       []byte `dynamodbav:"gd,omitempty"`
	CreatedAt      int64  `dynamodbav:"at"`

	linksItem
	settingsAttributes
}

func newLaunchItem(l launch.Launch) launchItem {
	item := launchItem{
		NonceAccount: bytesOf(l.Nonce.Account), NonceValue: bytesOf(solana.PublicKey(l.Nonce.Value)),
		CreatedAt: l.CreatedAt.UnixMilli(), ValidUntil: l.ExpiresAt.UnixMilli(),
		Status: string(l.Status), Draft: newDraftItem(l.Token),
		Units: l.Terms.Units, Price: l.Terms.PriceMicroLamports, MintRent: l.Terms.MintRentLamports, MultisigRent: l.Terms.MultisigRentLamports,
		Funding: l.Terms.FundingLamports,
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
		WalletID: r.Wallet.ID, WalletAddress: r.Wallet.Address[:], WalletRoot: r.Wallet.Root, Guardian: bytesOf(r.Guardian), CreatedAt: r.CreatedAt.UnixMilli(),
		linksItem: linksItem(r.Links), settingsAttributes: settingsAttributes(r.Settings),
	}
}

// record returns the token's record as of the issue of the launch.
func (i draftItem) record() token.Record {
	return token.Record{
		ID: i.ID, Mint: dynamo.PublicKey(i.Mint), Creator: dynamo.PublicKey(i.Creator), Name: i.Name, Symbol: i.Symbol, Description: i.Description,
		ImageCID: i.ImageCID, MetadataCID: i.MetadataCID, Links: token.Links(i.linksItem),
		Status: token.Submitted, Decimals: i.Decimals, Supply: i.Supply, TransferFeeBps: i.TransferFeeBps,
		FeeAdjustable: i.FeeAdjustable, Immutable: i.Immutable,
		Wallet: token.Wallet{ID: i.WalletID, Address: dynamo.PublicKey(i.WalletAddress), Root: i.WalletRoot}, Guardian: dynamo.PublicKey(i.Guardian), CreatedAt: time.UnixMilli(i.CreatedAt).UTC(),
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
		Terms: launch.Terms{Units: i.Units, PriceMicroLamports: i.Price, MintRentLamports: i.MintRent, MultisigRentLamports: i.MultisigRent, FundingLamports: i.Funding},
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
