// Package tokens serves the routes under /tokens, except the image upload, and GET /stats.
package tokens

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Wallets issues distribution wallets.
type Wallets interface {
	Generate(ctx context.Context) (wallet.Wallet, error)
}

// Launches prepares and submits launches.
type Launches interface {
	Create(ctx context.Context, caller solana.PublicKey, sourceIP string, draft token.Draft) (launch.Created, error)
	Validate(ctx context.Context, caller solana.PublicKey, draft token.Draft) (transaction.Cost, []string, error)
	Submit(ctx context.Context, caller solana.PublicKey, id, signedBase64 string) (launch.Launch, error)
	Status(ctx context.Context, caller solana.PublicKey, id string) (launch.Launch, error)
	Refresh(ctx context.Context, caller solana.PublicKey, id string) (launch.Fresh, error)
}

// Records reads tokens; see launchtable.Tokens.
type Records interface {
	Token(ctx context.Context, mint solana.PublicKey) (token.Record, error)
	List(ctx context.Context, page, limit int64) ([]token.Record, int64, error)
	ListVisibleOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error)
	ListOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error)
	ListAllOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error)
	Search(ctx context.Context, beginning string, page, limit int64) ([]token.Record, int64, error)
}

// Figures reads the figures of tokens; see package figures of the launch table.
type Figures interface {
	Stats(ctx context.Context) (figures.Stats, error)
	OfTokens(ctx context.Context, mints ...solana.PublicKey) (map[solana.PublicKey]figures.Public, error)
	Ranked(ctx context.Context, by figures.Rank, page, limit int64) ([]token.Record, int64, error)
}

// Endpoint handles the routes. Gateway is the address of an IPFS gateway, without a trailing slash.
type Endpoint struct {
	Wallets  Wallets
	Launches Launches
	Records  Records
	Figures  Figures
	Gateway  string
	Now      func() time.Time
}

// Handlers returns the handlers by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{
		"generateDistributionWallet": e.generateWallet,
		"createUnsignedToken":        e.create,
		"validateToken":              e.validate,
		"submitToken":                e.submit,
		"getTransaction":             e.status,
		"refreshTransaction":         e.refresh,
		"listTokens":                 e.list,
		"listMyTokens":               e.listMine,
		"getToken":                   e.get,
		"getStats":                   e.stats,
	}
}

func (e Endpoint) generateWallet(w http.ResponseWriter, r *http.Request) error {
	issued, err := e.Wallets.Generate(r.Context())
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, contract.Wallet{WalletID: issued.ID, Address: issued.Address.String()})
}

type createdBody struct {
	Transaction   string              `json:"transaction"`
	TransactionID string              `json:"transactionId"`
	ExpiresAt     string              `json:"expiresAt"`
	LastValid     uint64              `json:"lastValidBlockHeight,omitempty"`
	MintKeypair   keypairBody         `json:"mintKeypair"`
	MetadataURI   string              `json:"metadataUri"`
	Cost          costBody            `json:"cost"`
	Explanation   []string            `json:"explanation"`
	Simulation    contract.Simulation `json:"simulation"`
}

type keypairBody struct {
	PublicKey string `json:"publicKey"`
}

type costBody struct {
	NetworkFee    string `json:"networkFeeLamports"`
	Rent          string `json:"rentLamports"`
	WalletFunding string `json:"distributionWalletFundingLamports"`
	Total         string `json:"totalLamports"`
}

func newCost(c transaction.Cost) costBody {
	return costBody{
		NetworkFee: contract.Amount(c.NetworkFee), Rent: contract.Amount(c.Rent),
		WalletFunding: contract.Amount(c.Deposit), Total: contract.Amount(c.Total()),
	}
}

func (e Endpoint) create(w http.ResponseWriter, r *http.Request) error {
	caller, draft, err := drafted(r)
	if err != nil {
		return err
	}
	created, err := e.Launches.Create(r.Context(), caller, apigw.SourceIP(r.Context()), draft)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, createdBody{
		Transaction:   base64.StdEncoding.EncodeToString(created.Fresh.Transaction),
		TransactionID: created.ID,
		ExpiresAt:     apigw.Timestamp(created.Fresh.ExpiresAt),
		LastValid:     created.Fresh.LastValid,
		MintKeypair:   keypairBody{PublicKey: created.Mint.String()},
		MetadataURI:   content.Gateway + created.Token.MetadataCID,
		Cost:          newCost(created.Cost),
		Explanation:   created.Explanation,
		Simulation:    contract.NewSimulation(created.Simulation),
	})
}

type validBody struct {
	Valid       bool     `json:"valid"`
	Cost        costBody `json:"cost"`
	Explanation []string `json:"explanation"`
}

func (e Endpoint) validate(w http.ResponseWriter, r *http.Request) error {
	caller, draft, err := drafted(r)
	if err != nil {
		return err
	}
	cost, explanation, err := e.Launches.Validate(r.Context(), caller, draft)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, validBody{Valid: true, Cost: newCost(cost), Explanation: explanation})
}

type submittedBody struct {
	Success     bool           `json:"success"`
	Signature   string         `json:"signature"`
	MintAddress string         `json:"mintAddress"`
	Token       contract.Token `json:"token"`
	Status      string         `json:"status"`
}

func (e Endpoint) submit(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	id, signed := fields.String("transactionId"), fields.String("signedTransaction")
	if err := fields.Err(); err != nil {
		return err
	}
	submitted, err := e.Launches.Submit(r.Context(), caller, id, signed)
	if expired, ok := errors.AsType[*launch.ExpiredError](err); ok {
		told := *expired.Told
		told.Refresh = newFresh(expired.Fresh)
		return &told
	}
	if err != nil {
		return err
	}
	record, err := e.Records.Token(r.Context(), submitted.Mint)
	if err != nil {
		return fmt.Errorf("read the token of transaction %s: %w", submitted.ID, err)
	}
	status := http.StatusOK
	if submitted.Status != transaction.Confirmed {
		status = http.StatusAccepted
	}
	return apigw.WriteJSON(w, status, submittedBody{
		Success: true, Signature: submitted.Signature.String(), MintAddress: submitted.Mint.String(),
		Token: contract.NewToken(record.InForce(e.Now()), e.Gateway), Status: string(submitted.Status),
	})
}

func (e Endpoint) get(w http.ResponseWriter, r *http.Request) error {
	record, err := token.FindMint(r.Context(), e.Records, r.PathValue("mintAddress"))
	if err != nil {
		return err
	}
	of, err := e.figures(r, record)
	if err != nil {
		return err
	}
	out := contract.NewToken(record.InForce(e.Now()), e.Gateway)
	out.WithFigures(record.Mint, of, e.Now())
	return apigw.WriteJSON(w, http.StatusOK, out)
}
