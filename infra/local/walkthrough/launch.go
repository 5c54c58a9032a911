package walkthrough

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// Chain is what the walk-through needs of the ledger besides the API.
type Chain interface {
	// Fund adds lamports to an address.
	Fund(ctx context.Context, address string, lamports uint64) error
	// Call makes a JSON-RPC call and decodes its result.
	Call(ctx context.Context, result any, method string, params ...any) error
}

// creatorLamports is what the creator begins with, 1 SOL.
const creatorLamports = 1_000_000_000

// Creation is the body of POST /tokens/create-unsigned.
type Creation map[string]any

// Example is a creation with every field, for this image and wallet.
func Example(imageURI, walletID string) Creation {
	return Creation{
		"name":                            "Walkthrough",
		"symbol":                          "WALK",
		"description":                     "A token launched on a local chain.",
		"imageUri":                        imageURI,
		"walletId":                        walletID,
		"twitter":                         "https://x.com/example",
		"telegram":                        "https://t.me/example",
		"website":                         "https://example.com",
		"transferFeePercent":              5,
		"burnPercent":                     20,
		"developerFeePercent":             10,
		"distributionInterval":            "1h",
		"percentageToSellPerDistribution": 50,
		"rewardToken":                     "SOL",
		"minimumHoldingRequirement":       "1000000",
		"decimals":                        6,
		"supply":                          "1000000000000000",
		"transferFeeAdjustable":           false,
		"immutableMetadata":               true,
	}
}

// DistributionWallet is the answer to POST /tokens/generate-distribution-wallet.
type DistributionWallet struct{ WalletID, Address string }

// Image is the answer to POST /tokens/upload-image.
type Image struct {
	Success            bool
	ImageURI, ImageCID string
	Width, Height      int
	Bytes              int
}

// Prepared is the answer to POST /tokens/create-unsigned.
type Prepared struct {
	Transaction, TransactionID, ExpiresAt, MetadataURI string
	MintKeypair                                        struct{ PublicKey string }
	Cost                                               struct{ TotalLamports string }
	Explanation                                        []string
	Simulation                                         struct {
		OK           bool
		Reason       string
		ComputeUnits uint64
		Logs         []string
	}
}

// Token is the part of a token's record that the walk-through compares.
type Token struct {
	ID, MintAddress, Name, Symbol, ImageURI, ImageURL, MetadataURI string
	Status, Creator, Supply, Signature                             string
	Decimals                                                       int
	TransferFeePercent                                             float64
	DistributionWallet                                             DistributionWallet
}

// Submitted is the answer to POST /tokens/submit.
type Submitted struct {
	Success                        bool
	Signature, MintAddress, Status string
	Token                          Token
}

// Launch is a launch in progress: what each step gave the next.
type Launch struct {
	Client *Client
	Chain  Chain
	Wallet Wallet
	// Report is told of each step that is done; nil tells nobody.
	Report func(step, result string)

	Creation     Creation
	Distribution DistributionWallet
	Image        Image
	Prepared     Prepared
	Signed       string // the transaction with the creator's signature
	Submitted    Submitted
}

// Run goes through all steps: sign in, prepare, create, submit, read back.
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

// Create goes through the steps up to a signed transaction and submits nothing.
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

func (l *Launch) signIn(ctx context.Context) error {
	var challenge struct{ Challenge, Nonce, ExpiresAt string }
	err := l.Client.Call(ctx, http.MethodPost, "/auth/challenge", map[string]string{"wallet": l.Wallet.Address()}, &challenge)
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(challenge.Challenge, "\n")
	l.done("Challenge", "%q, nonce %s", first, challenge.Nonce)
	until, err := l.Client.verify(ctx, l.Wallet, challenge.Challenge)
	if err != nil {
		return err
	}
	l.done("Signed in", "token valid until %s", until)
	return nil
}

func (l *Launch) distributionWallet(ctx context.Context) error {
	err := l.Client.Call(ctx, http.MethodPost, "/tokens/generate-distribution-wallet", nil, &l.Distribution)
	if err != nil {
		return err
	}
	if l.Distribution.WalletID == "" || l.Distribution.Address == "" {
		return fmt.Errorf("POST /tokens/generate-distribution-wallet answers %+v", l.Distribution)
	}
	l.done("Distribution wallet", "%s", l.Distribution.Address)
	return nil
}

func (l *Launch) image(ctx context.Context) error {
	picture, err := Picture()
	if err != nil {
		return err
	}
	if err := l.Client.Upload(ctx, "/tokens/upload-image", "logo.png", "image/png", picture, &l.Image); err != nil {
		return err
	}
	if !l.Image.Success || l.Image.ImageURI != "ipfs://"+l.Image.ImageCID {
		return fmt.Errorf("POST /tokens/upload-image answers %+v", l.Image)
	}
	l.done("Image", "%s, %dx%d, %d bytes", l.Image.ImageURI, l.Image.Width, l.Image.Height, l.Image.Bytes)
	return nil
}

func (l *Launch) create(ctx context.Context) error {
	if l.Creation == nil {
		l.Creation = Example(l.Image.ImageURI, l.Distribution.WalletID)
	}
	if err := l.Client.Call(ctx, http.MethodPost, "/tokens/create-unsigned", l.Creation, &l.Prepared); err != nil {
		return err
	}
	if !l.Prepared.Simulation.OK {
		return fmt.Errorf("the transaction would fail: %s\n%s",
			l.Prepared.Simulation.Reason, strings.Join(l.Prepared.Simulation.Logs, "\n"))
	}
	l.done("Transaction created", "mint %s, costs %s lamports, %d instructions, %d compute units",
		l.Prepared.MintKeypair.PublicKey, l.Prepared.Cost.TotalLamports,
		len(l.Prepared.Explanation), l.Prepared.Simulation.ComputeUnits)
	var err error
	if l.Signed, err = l.Wallet.SignTransaction(l.Prepared.Transaction); err != nil {
		return err
	}
	l.done("Transaction signed", "by %s", l.Wallet.Address())
	return nil
}

func (l *Launch) submit(ctx context.Context) error {
	err := l.Client.Call(ctx, http.MethodPost, "/tokens/submit", map[string]string{
		"transactionId": l.Prepared.TransactionID, "signedTransaction": l.Signed,
	}, &l.Submitted)
	if err != nil {
		return err
	}
	if !l.Submitted.Success || l.Submitted.MintAddress != l.Prepared.MintKeypair.PublicKey {
		return fmt.Errorf("POST /tokens/submit answers %+v", l.Submitted)
	}
	l.done("Submitted", "%s, signature %s", l.Submitted.Status, l.Submitted.Signature)
	return nil
}
