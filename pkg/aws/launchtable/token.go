package launchtable

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// tokenItem is a stored token record. Keys are raw bytes, times Unix milliseconds.
type tokenItem struct {
	ID             string `dynamodbav:"id"`
	Mint           []byte `dynamodbav:"mint"`
	Creator        []byte `dynamodbav:"creator"`
	Name           string `dynamodbav:"name"`
	Symbol         string `dynamodbav:"symbol"`
	Description    string `dynamodbav:"description,omitempty"`
	ImageCID       string `dynamodbav:"imageCid"`
	MetadataCID    string `dynamodbav:"metadataCid"`
	Status         string `dynamodbav:"status"`
	Visible        bool   `dynamodbav:"visible"`
	Decimals       int    `dynamodbav:"decimals"`
	Supply         uint64 `dynamodbav:"supply"`
	TransferFeeBps int    `dynamodbav:"transferFeeBps"`
	FeeAdjustable  bool   `dynamodbav:"feeAdjustable,omitempty"`
	Immutable      bool   `dynamodbav:"immutable,omitempty"`
	WalletID       string `dynamodbav:"walletId"`
	WalletAddress  []byte `dynamodbav:"walletAddress"`
	WalletRoot     uint8  `dynamodbav:"walletRoot,omitempty"`
	Guardian       []byte `dynamodbav:"guardian,omitempty"`
	// Settings are the settings of the launch or, after a change, a copy of the newest settings,
	// for lists and pages. Runs use the table of the settings.
	Settings  settingsItem `dynamodbav:"settings"`
	Signature []byte       `dynamodbav:"signature,omitempty"`
	// Reason is the cause of a failed launch.
	Reason    string `dynamodbav:"reason,omitempty"`
	CreatedAt int64  `dynamodbav:"createdAt"`
	DueSince  int64  `dynamodbav:"dueSince,omitempty"`
	// DueNext is as in settings.Current. Held is the version in force while Settings are pending.
	DueNext int64         `dynamodbav:"dueNext,omitempty"`
	Held    *settingsItem `dynamodbav:"held,omitempty"`
	// CPMM and DAMM are the creator's pools, the first pool of each kind. CurveState is the state
	// of the curve in DAMM. MorePools are later pools and the pools of other creators.
	CPMM          *PoolItem  `dynamodbav:"cpmm,omitempty"`
	DAMM          *PoolItem  `dynamodbav:"damm,omitempty"`
	CurveState    string     `dynamodbav:"curveState,omitempty"`
	MorePools     []PoolItem `dynamodbav:"morePools,omitempty"`
	FeaturedUntil int64      `dynamodbav:"featuredUntil,omitempty"`
	// WindsDownAt is the time of an order to wind down, in Unix milliseconds. WindDownFinal is as in
	// token.WindDown.
	WindsDownAt   int64 `dynamodbav:"windsDownAt,omitempty"`
	WindDownFinal bool  `dynamodbav:"windDownFinal,omitempty"`
	// RotateTo is the operator's order to move the token to another wallet. Rotated is the present
	// wallet after a rotation; WalletAddress stays the wallet of the launch.
	RotateTo *rootItem `dynamodbav:"rotateTo,omitempty"`
	Rotated  *rootItem `dynamodbav:"rotated,omitempty"`
	linksItem
	// launched is terms.OrderHash of the settings of the launch. first are the settings themselves, if
	// they have a delay. Neither is stored in this item.
	launched []byte
	first    *settingsItem
}

// rootItem is the wallet of a root, of the same ID.
type rootItem struct {
	Root    uint8  `dynamodbav:"root"`
	Address []byte `dynamodbav:"address"`
}

func (i rootItem) wallet(id string) token.Wallet {
	return token.Wallet{ID: id, Address: dynamo.PublicKey(i.Address), Root: i.Root}
}

// linksItem is stored token.Links.
type linksItem struct {
	Twitter  string `dynamodbav:"x,omitempty"`
	Telegram string `dynamodbav:"t,omitempty"`
	Website  string `dynamodbav:"w,omitempty"`
}

// settingsAttributes is stored terms.Settings.
type settingsAttributes struct {
	RewardToken       string           `dynamodbav:"r"`
	MinimumHolding    uint64           `dynamodbav:"h,omitempty"`
	SellBps           int              `dynamodbav:"o,omitempty"`
	Enabled           bool             `dynamodbav:"y,omitempty"`
	Interval          terms.Interval   `dynamodbav:"v"`
	BurnBps           int              `dynamodbav:"k,omitempty"`
	DeveloperFeeBps   int              `dynamodbav:"u,omitempty"`
	DeveloperWallet   solana.PublicKey `dynamodbav:"g"`
	CreatorSplits     terms.Splits     `dynamodbav:"cs,omitempty"`
	RewardBasis       terms.Basis      `dynamodbav:"rb,omitempty"`
	MinimumHoldersBps int              `dynamodbav:"mh,omitempty"`
	ChangeDelay       terms.Delay      `dynamodbav:"cd,omitempty"`
	TelegramGroupID   string           `dynamodbav:"tg,omitempty"`
}

// settingsItem is a stored version of the settings.
type settingsItem struct {
	settingsAttributes

	Version   int64  `dynamodbav:"version"`
	From      int64  `dynamodbav:"from,omitempty"`
	OrderedAt int64  `dynamodbav:"at,omitempty"`
	Signature []byte `dynamodbav:"signature,omitempty"`
}

// newTokenItem returns the item of a launched token's record.
func newTokenItem(r token.Record) tokenItem {
	item := tokenItem{
		ID: r.ID, Mint: r.Mint[:], Creator: r.Creator[:],
		Name: r.Name, Symbol: r.Symbol, Description: r.Description,
		ImageCID: r.ImageCID, MetadataCID: r.MetadataCID,
		linksItem: linksItem(r.Links), Status: string(r.Status), Visible: r.Visible,
		Decimals: r.Decimals, Supply: r.Supply, TransferFeeBps: r.TransferFeeBps,
		FeeAdjustable: r.FeeAdjustable, Immutable: r.Immutable,
		WalletID: r.Wallet.ID, WalletAddress: r.Wallet.Address[:], WalletRoot: r.Wallet.Root, Guardian: bytesOf(r.Guardian),
		Settings:  newSettingsItem(terms.Version{Settings: r.Settings, Number: terms.LaunchVersion}),
		CreatedAt: r.CreatedAt.UnixMilli(),
	}
	if !r.Signature.IsZero() {
		item.Signature = r.Signature[:]
	}
	return item
}

// newSettingsItem returns the item of a version of the settings.
func newSettingsItem(v terms.Version) settingsItem {
	item := settingsItem{settingsAttributes: settingsAttributes(v.Settings), Version: v.Number}
	if !v.From.IsZero() {
		item.From = v.From.UnixMilli()
	}
	if !v.OrderedAt.IsZero() {
		item.OrderedAt = v.OrderedAt.UnixMilli()
	}
	if v.Ordered() {
		item.Signature = v.Signature[:]
	}
	return item
}

func (i tokenItem) record() token.Record {
	r := token.Record{
		ID: i.ID, Mint: dynamo.PublicKey(i.Mint), Creator: dynamo.PublicKey(i.Creator),
		Name: i.Name, Symbol: i.Symbol, Description: i.Description,
		ImageCID: i.ImageCID, MetadataCID: i.MetadataCID,
		Links: token.Links(i.linksItem), Status: token.Status(i.Status), Visible: i.Visible,
		Decimals: i.Decimals, Supply: i.Supply, TransferFeeBps: i.TransferFeeBps,
		FeeAdjustable: i.FeeAdjustable, Immutable: i.Immutable,
		Wallet: token.Wallet{ID: i.WalletID, Address: dynamo.PublicKey(i.WalletAddress), Root: i.WalletRoot}, Guardian: dynamo.PublicKey(i.Guardian),
		Settings: terms.Settings(i.Settings.settingsAttributes), SettingsVersion: i.Settings.Version, SettingsSignature: dynamo.Signature(i.Settings.Signature),
		Signature: dynamo.Signature(i.Signature), CreatedAt: time.UnixMilli(i.CreatedAt).UTC(),
		Reason: i.Reason,
	}
	if i.Held != nil {
		r.Held, r.SettingsFrom = i.Held.version(), milli(i.Settings.From)
	}
	pools := i.MorePools
	for _, first := range []*PoolItem{i.CPMM, i.DAMM} {
		if first != nil {
			pools = append(pools, *first)
		}
	}
	slices.SortStableFunc(pools, func(a, b PoolItem) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
	for _, p := range pools {
		if pool := p.Pool(); pool.Creator == r.Creator {
			r.Pools = append(r.Pools, pool)
		} else {
			r.OtherPools = append(r.OtherPools, pool)
		}
	}
	if i.CurveState != "" && i.DAMM != nil && dynamo.PublicKey(i.DAMM.Creator) == r.Creator {
		r.Launchpad = &token.Launchpad{Pool: dynamo.PublicKey(i.DAMM.Address), State: token.CurveState(i.CurveState)}
	}
	if i.WindsDownAt != 0 {
		r.WindDown = token.WindDown{At: time.UnixMilli(i.WindsDownAt).UTC(), Final: i.WindDownFinal}
	}
	if i.RotateTo != nil {
		r.RotateTo = i.RotateTo.wallet(i.WalletID)
	}
	if i.Rotated != nil {
		r.LaunchWallet, r.Wallet = r.Wallet, i.Rotated.wallet(i.WalletID)
	}
	if i.FeaturedUntil != 0 {
		r.FeaturedUntil = time.UnixMilli(i.FeaturedUntil).UTC()
	}
	return r
}

func (i settingsItem) version() terms.Version {
	v := terms.Version{Settings: terms.Settings(i.settingsAttributes), Number: i.Version, Signature: dynamo.Signature(i.Signature)}
	if i.From != 0 {
		v.From = time.UnixMilli(i.From).UTC()
	}
	if i.OrderedAt != 0 {
		v.OrderedAt = time.UnixMilli(i.OrderedAt).UTC()
	}
	return v
}

const (
	tokenSort   = "TOKEN"
	tokenIDSort = "TOKENID"
)

func tokenPartition(mint solana.PublicKey) string { return schema.Tokens + mint.String() }

// TokenKey returns the key of a token's record.
func TokenKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(tokenPartition(mint), tokenSort)
}

func tokenIDKey(id string) map[string]types.AttributeValue {
	return dynamo.Key("TOKENID#"+id, tokenIDSort)
}

// Tokens reads token records and lists.
type Tokens struct {
	Client *dynamodb.Client
	Table  string
}

// Token returns the record of the token with the given mint, or token.ErrNotFound. The read is
// consistent.
func (t Tokens) Token(ctx context.Context, mint solana.PublicKey) (token.Record, error) {
	var stored tokenItem
	found, err := dynamo.Get(ctx, t.Client, t.Table, TokenKey(mint), &stored)
	if err != nil {
		return token.Record{}, fmt.Errorf("read token %s: %w", mint, err)
	}
	if !found {
		return token.Record{}, token.ErrNotFound
	}
	return stored.record(), nil
}

func decodeToken(item map[string]types.AttributeValue) (token.Record, error) {
	var stored tokenItem
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return token.Record{}, fmt.Errorf("decode token item %v: %w", item[schema.PartitionKey], err)
	}
	return stored.record(), nil
}

// TokensOf reads the records of the given mints, in the same order. A missing record is left out.
// mints has at most 100 mints, DynamoDB's limit for a batch.
func (t Tokens) TokensOf(ctx context.Context, mints []solana.PublicKey) ([]token.Record, error) {
	found := make(map[solana.PublicKey]token.Record, len(mints))
	keys := make([]map[string]types.AttributeValue, len(mints))
	for i, mint := range mints {
		keys[i] = TokenKey(mint)
	}
	items, err := dynamo.BatchGet(ctx, t.Client, t.Table, keys, false)
	if err != nil {
		return nil, fmt.Errorf("read %d tokens: %w", len(mints), err)
	}
	for _, item := range items {
		record, err := decodeToken(item)
		if err != nil {
			return nil, err
		}
		found[record.Mint] = record
	}
	records := make([]token.Record, 0, len(mints))
	for _, mint := range mints {
		if record, ok := found[mint]; ok {
			records = append(records, record)
		}
	}
	return records, nil
}
