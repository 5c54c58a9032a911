package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/curves"
	"tokenlaunch.example/service/infra/local/hooks"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/client"
	distributed "tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token/terms"
)

// known is what a caller can only know from earlier answers. hooks.py puts it
// into generated requests, for no schema can say which images are stored.
type known struct {
	Token       string `json:"token"` // the JWT
	Wallet      string `json:"wallet"`
	ImageURI    string `json:"imageUri"`
	WalletID    string `json:"walletId"` // of a distribution wallet that no token uses
	MintAddress string `json:"mintAddress"`
	TokenID     string `json:"tokenId"`
	RunID       string `json:"runId"` // of a distribution that was skipped
	// TelegramGroupID is the group of the token; it does not exist.
	TelegramGroupID string `json:"telegramGroupId"`
	// WebhookID is an active webhook, DeliveryID one to it.
	WebhookID  string `json:"webhookId"`
	DeliveryID string `json:"deliveryId"`
	// Cursors lead to the second page of a list, by operation.
	Cursors           map[string]string `json:"cursors"`
	TransactionID     string            `json:"transactionId"` // a submission that is repeated
	SignedTransaction string            `json:"signedTransaction"`
	OrderID           string            `json:"orderId"` // of a launch that is not submitted
	// SignIns are bodies of POST /auth/verify that work once each.
	SignIns []signIn `json:"signIns"`
}

type signIn struct {
	Wallet    string `json:"wallet"`
	Challenge string `json:"challenge"`
	Signature string `json:"signature"`
}

// signIns is how many of them there are, fewer than the challenges that one
// address may ask for in a minute.
const signIns = 8

const documentFile = "openapi.json"

// prepare launches a token, and writes what came of it and a picture into the
// folder.
func prepare(ctx context.Context, stack *runner.Stack, folder string) (known, error) {
	l, err := walkthrough.New(stack.APIURL, stack.Chain, nil)
	if err != nil {
		return known{}, err
	}
	if err := l.Run(ctx); err != nil {
		return known{}, err
	}
	ordered, err := l.Client.GenerateDistributionWallet(ctx)
	if err != nil {
		return known{}, err
	}
	order, err := l.Client.CreateUnsignedToken(ctx, walkthrough.Example(l.Image.ImageURI, ordered.WalletID))
	if err != nil {
		return known{}, err
	}
	unused, err := l.Client.GenerateDistributionWallet(ctx)
	if err != nil {
		return known{}, err
	}
	k := known{
		Token: l.Session.Token, Wallet: l.Wallet.Address(), ImageURI: l.Image.ImageURI, WalletID: unused.WalletID,
		MintAddress: l.Prepared.MintKeypair.PublicKey.String(), TransactionID: l.Prepared.TransactionID, SignedTransaction: l.Signed,
		OrderID: order.TransactionID,
	}
	if err := k.addRun(ctx, stack, l); err != nil {
		return known{}, err
	}
	if err := addCurve(ctx, stack, l); err != nil {
		return known{}, err
	}
	if err := k.addWebhook(ctx, stack, l); err != nil {
		return known{}, err
	}
	k.TelegramGroupID = "@crane_holders"
	group := client.SettingsChange{TelegramGroupID: &k.TelegramGroupID}
	if _, err := l.Client.ChangeDistributionSettings(ctx, k.MintAddress, group); err != nil {
		return known{}, err
	}
	for range signIns {
		s, err := newSignIn(ctx, l.Client)
		if err != nil {
			return known{}, err
		}
		k.SignIns = append(k.SignIns, s)
	}
	document, err := l.Client.GetOpenAPI(ctx) // as it is served
	if err != nil {
		return known{}, err
	}
	text, err := json.Marshal(k)
	if err != nil {
		return known{}, fmt.Errorf("encode what is known: %w", err)
	}
	picture, err := walkthrough.Picture()
	if err != nil {
		return known{}, err
	}
	for name, content := range map[string][]byte{"known.json": text, "picture.png": picture, documentFile: document} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return known{}, fmt.Errorf("write %s: %w", name, err)
		}
	}
	return k, nil
}

// addRun makes a run of the token that there is something to read of: one that
// was skipped, for which nothing has to move.
func (k *known) addRun(ctx context.Context, stack *runner.Stack, l *walkthrough.Launch) error {
	mint := l.Submitted.MintAddress
	now := time.Now()
	slot := terms.EveryHour.Slot(now)
	k.TokenID, k.RunID = l.Submitted.Token.ID, terms.RunID(mint, slot)
	k.Cursors = map[string]string{
		"listRuns":        base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(now.Unix(), 10))),
		"getBurns":        base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%012d#%s", now.Unix(), k.RunID)),
		"getHolderLedger": base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("0", 64))),
		// before the first
		"listCurves":   base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%015d#%s", now.Add(time.Hour).UnixMilli(), mint)),
		"listFeatured": base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%015d#%s", now.Add(time.Hour).UnixMilli(), mint)),
	}
	runs := ledgertable.Runs{Client: dynamo.New(stack.AWS.Config()), Table: stack.Outputs["LedgerTableName"], Now: time.Now}
	err := runs.Open(ctx, distributed.Head{Mint: mint, LastSlot: slot}, distributed.Run{
		ID: k.RunID, Mint: mint, Slot: slot, OpenedAt: now, Settings: terms.Default(mint),
		End: &distributed.End{At: now, Code: distributed.CodePaused, Detail: "Distribution was switched off."},
	})
	if err != nil {
		return fmt.Errorf("write a run down: %w", err)
	}
	return nil
}

// addWebhook adds a webhook, and takes its challenge for answered.
func (k *known) addWebhook(ctx context.Context, stack *runner.Stack, l *walkthrough.Launch) error {
	made, err := l.Client.CreateWebhook(ctx, client.WebhookCreation{
		URL: "https://hooks.crane.example/", Events: []client.WebhookEvent{client.EventRunSettled},
	})
	if err != nil {
		return err
	}
	list, err := l.Client.ListDeliveries(ctx, made.WebhookID, client.Cursor{})
	if err != nil {
		return err
	}
	k.WebhookID, k.DeliveryID = made.WebhookID, list.Deliveries[0].DeliveryID
	// before the first
	k.Cursors["listDeliveries"] = base64.RawURLEncoding.EncodeToString([]byte("ffffffff-ffff-4fff-bfff-ffffffffffff"))
	store := hooks.Table{Client: dynamo.New(stack.AWS.Config()), Name: stack.Outputs["WebhookTableName"]}
	return store.Activate(ctx, l.Wallet.PublicKey(), made.WebhookID)
}

// addCurve makes a curve of the token that can be bought on, sold on and cancelled.
func addCurve(ctx context.Context, stack *runner.Stack, l *walkthrough.Launch) error {
	mint := l.Submitted.MintAddress
	_, err := l.Client.CreateUnsignedCurve(ctx, client.CurveCreation{
		TokenMint: mint, TokenAmount: 500_000_000_000_000, TargetMarketCap: "50", LockLiquidity: new(false),
	})
	if err != nil {
		return err
	}
	store := curves.Store{Client: dynamo.New(stack.AWS.Config()), Table: stack.Outputs["LaunchTableName"]}
	_, err = store.Deploy(ctx, mint, l.Wallet.PublicKey(), solana.LAMPORTS_PER_SOL)
	return err
}

func newSignIn(ctx context.Context, c *client.Client) (signIn, error) {
	wallet, err := walkthrough.NewWallet()
	if err != nil {
		return signIn{}, err
	}
	issued, err := c.CreateChallenge(ctx, client.ChallengeRequest{Wallet: wallet.PublicKey()})
	if err != nil {
		return signIn{}, err
	}
	return signIn{Wallet: wallet.Address(), Challenge: issued.Challenge, Signature: wallet.SignMessage(issued.Challenge)}, nil
}
