package walkthrough

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"tokenlaunch.example/service/pkg/client"
)

// Chain is the part of the chain's API that the walk-through needs in addition to the service's
// API.
type Chain interface {
	// Fund adds lamports to an address.
	Fund(ctx context.Context, address string, lamports uint64) error
	// Send sends an encoded transaction, and returns its signature after the confirmation.
	Send(ctx context.Context, transaction string) (signature string, err error)
	// Call makes a JSON-RPC call and decodes its result.
	Call(ctx context.Context, result any, method string, params ...any) error
}

// creatorLamports is the creator's initial balance, 1 SOL.
const creatorLamports = 1_000_000_000

// Example returns a creation with every field, for this image and wallet.
func Example(imageURI, walletID string) client.TokenCreation {
	minimum := client.BaseUnits(1_000_000)
	return client.TokenCreation{
		Name:                            "Walkthrough",
		Symbol:                          "WALK",
		Description:                     "A token launched on a local chain.",
		ImageURI:                        imageURI,
		WalletID:                        walletID,
		Twitter:                         "https://x.com/example",
		Telegram:                        "https://t.me/example",
		Website:                         "https://example.com",
		TransferFeePercent:              client.MustPercent("5"),
		BurnPercent:                     client.MustPercent("20"),
		DeveloperFeePercent:             client.MustPercent("10"),
		DistributionInterval:            client.EveryHour,
		PercentageToSellPerDistribution: client.MustPercent("50"),
		RewardToken:                     "SOL",
		MinimumHoldingRequirement:       &minimum,
		Decimals:                        6,
		Supply:                          client.MustTokens("1000000000", 6),
		ImmutableMetadata:               true,
	}
}

// Launch is a launch in progress. The fields are the results of the steps. New creates a Launch.
type Launch struct {
	Client *client.Client
	Chain  Chain
	Wallet Wallet
	// Report receives each completed step; nil reports nothing.
	Report func(step, result string)

	Session      client.Session
	Creation     client.TokenCreation // Example, with the splits and the guardian from here
	Distribution client.DistributionWallet
	Image        client.UploadedImage
	Prepared     client.UnsignedToken
	Signed       string // the transaction with the creator's signature
	Submitted    client.SubmissionResult
}

// New returns a launch by a new wallet, through the API at an address. Requests go through by, if
// by is set.
func New(api string, chain Chain, by *http.Client) (*Launch, error) {
	wallet, err := NewWallet()
	if err != nil {
		return nil, err
	}
	signer, err := wallet.Signer()
	if err != nil {
		return nil, err
	}
	options := []client.Option{client.WithSigner(signer)}
	if by != nil {
		options = append(options, client.WithHTTPClient(by))
	}
	c, err := client.New(api, options...)
	if err != nil {
		return nil, err
	}
	return &Launch{Client: c, Chain: chain, Wallet: wallet}, nil
}

// Run runs all steps: sign in, prepare, create, submit, read back.
func (l *Launch) Run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		l.fund, l.signIn, l.distributionWallet, l.image, l.create, l.submit, l.readAPI, l.readChain, l.readFiles,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Create runs the steps up to a signed transaction and submits nothing.
func (l *Launch) Create(ctx context.Context) error {
	for _, step := range []func(context.Context) error{l.fund, l.signIn, l.distributionWallet, l.image, l.create} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *Launch) done(step, format string, args ...any) {
	if l.Report != nil {
		l.Report(step, fmt.Sprintf(format, args...))
	}
}

func (l *Launch) fund(ctx context.Context) error {
	if err := l.Chain.Fund(ctx, l.Wallet.Address(), creatorLamports); err != nil {
		return fmt.Errorf("fund the creator: %w", err)
	}
	l.done("Creator's wallet", "%s has 1 SOL", l.Wallet.Address())
	return nil
}

func (l *Launch) signIn(ctx context.Context) (err error) {
	if l.Session, err = l.Client.SignIn(ctx); err != nil {
		return err
	}
	l.done("Signed in", "token valid until %s", l.Session.ExpiresAt)
	return nil
}

func (l *Launch) distributionWallet(ctx context.Context) (err error) {
	if l.Distribution, err = l.Client.GenerateDistributionWallet(ctx); err != nil {
		return err
	}
	l.done("Distribution wallet", "%s", l.Distribution.Address)
	return nil
}

func (l *Launch) image(ctx context.Context) error {
	picture, err := Picture()
	if err != nil {
		return err
	}
	if l.Image, err = l.Client.UploadImage(ctx, picture); err != nil {
		return err
	}
	if !l.Image.Success || l.Image.ImageURI != "ipfs://"+l.Image.ImageCID {
		return fmt.Errorf("the picture is answered as %+v", l.Image)
	}
	l.done("Image", "%s, %dx%d, %d bytes", l.Image.ImageURI, l.Image.Width, l.Image.Height, l.Image.Bytes)
	return nil
}

func (l *Launch) create(ctx context.Context) (err error) {
	if l.Creation.Name == "" {
		splits, guardian := l.Creation.CreatorSplits, l.Creation.Guardian
		l.Creation = Example(l.Image.ImageURI, l.Distribution.WalletID)
		l.Creation.CreatorSplits, l.Creation.Guardian = splits, guardian
	}
	if l.Prepared, err = l.Client.CreateUnsignedToken(ctx, l.Creation); err != nil {
		return err
	}
	if s := l.Prepared.Simulation; !s.OK {
		return fmt.Errorf("the transaction would fail: %s\n%s", s.Reason, strings.Join(s.Logs, "\n"))
	}
	l.done("Transaction created", "mint %s, costs %s, %d instructions, %d compute units",
		l.mint(), l.Prepared.Cost.TotalLamports, len(l.Prepared.Explanation), l.Prepared.Simulation.ComputeUnits)
	if l.Signed, err = l.Client.SignLaunch(ctx, l.Creation, l.Distribution, l.Prepared); err != nil {
		return err
	}
	l.done("Transaction signed", "by %s", l.Wallet.Address())
	return nil
}

func (l *Launch) submit(ctx context.Context) (err error) {
	l.Submitted, err = l.Client.SubmitToken(ctx, client.Submission{
		TransactionID: l.Prepared.TransactionID, SignedTransaction: l.Signed,
	})
	if err != nil {
		return err
	}
	if !l.Submitted.Success || l.Submitted.MintAddress != l.mint() {
		return fmt.Errorf("the submission is answered as %+v", l.Submitted)
	}
	l.done("Submitted", "%s, signature %s", l.Submitted.Status, l.Submitted.Signature)
	return nil
}
