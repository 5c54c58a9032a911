package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tokenlaunch.example/service/pkg/client"
)

// planLives is the lifetime of a confirmation, which is the lifetime of a launch's order.
const planLives = 5 * time.Minute

// session is the state of one agent's session.
type session struct {
	Options

	mu     sync.Mutex // guards the fields below
	client *client.Client
	wallet solana.PublicKey // signed in with an external wallet
	plans  map[string]plan  // by confirmation
	spent  uint64           // lamports
}

// api returns the client with the session's current sign-in.
func (s *session) api() *client.Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

// plan is a prepared launch that may be confirmed.
type plan struct {
	asked  client.TokenCreation
	wallet client.DistributionWallet
	given  client.UnsignedToken
	until  time.Time
	// settings is the text of the distribution settings that the signature fixes.
	settings string
	shown    bool // to the user, by the host
}

// prepared is the output of prepare_launch.
type prepared struct {
	Confirmation  string   `json:"confirmation,omitempty" jsonschema:"name it to launch, once the user has agreed"`
	TransactionID string   `json:"transactionId" jsonschema:"id of the order, for submit_launch and launch_status"`
	Transaction   string   `json:"transaction,omitempty" jsonschema:"to be signed elsewhere, base64"`
	Mint          string   `json:"mint" jsonschema:"address that the token will have"`
	Settings      string   `json:"settings" jsonschema:"the distribution settings that the signature fixes: who gets the tax, in what and how often"`
	Cost          any      `json:"cost" jsonschema:"what it costs, in lamports"`
	Explanation   []string `json:"explanation" jsonschema:"what each instruction does"`
	WouldSucceed  bool     `json:"wouldSucceed" jsonschema:"whether it would succeed on the chain now"`
	WhyNot        string   `json:"whyNot,omitempty"`
	ExpiresAt     string   `json:"expiresAt" jsonschema:"until when it can be confirmed or submitted"`
}

type confirmInput struct {
	Confirmation string `json:"confirmation" jsonschema:"the one of prepare_launch"`
}

type submitInput struct {
	TransactionID string `json:"transactionId" jsonschema:"the one of prepare_launch"`
	Signed        string `json:"signedTransaction" jsonschema:"the transaction of prepare_launch with the wallet's signature, base64"`
}

type statusInput struct {
	TransactionID string `json:"transactionId" jsonschema:"the one of prepare_launch"`
}

type challengeInput struct {
	Wallet string `json:"wallet" jsonschema:"address of the user's wallet, base58"`
}

type challengeOutput struct {
	Challenge string `json:"challenge" jsonschema:"have the wallet sign exactly this text"`
}

type signInInput struct {
	challengeInput

	Challenge string `json:"challenge" jsonschema:"the text of begin_sign_in"`
	Signature string `json:"signature" jsonschema:"the wallet's signature of it, base58"`
}

type signedIn struct {
	Wallet string `json:"wallet"`
}

func (s *session) launches(server *mcp.Server) {
	yes, no := true, false
	add := &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &yes}
	spend := &mcp.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &yes}
	if s.Signer == nil {
		mcp.AddTool(server, &mcp.Tool{Name: "begin_sign_in", Annotations: add, Description: "Get a message that the user's wallet signs to sign in. It moves no money."}, s.beginSignIn)
		mcp.AddTool(server, &mcp.Tool{Name: "finish_sign_in", Annotations: add, Description: "Sign in with the signed message, for this session."}, s.finishSignIn)
	}
	readsAs(server, "validate_launch", orderSchema(), "Check a launch and ask what it would cost. It prepares nothing.", func(ctx context.Context, in orderInput) (any, error) {
		asked, _, err := s.order(ctx, in)
		if err != nil {
			return nil, err
		}
		return s.api().ValidateToken(ctx, asked)
	})
	mcp.AddTool(server, &mcp.Tool{Name: "prepare_launch", InputSchema: orderSchema(), Annotations: add, Description: "Prepare a launch: answers what it costs and does. It spends nothing. At most five an hour: validate first."}, s.prepare)
	if s.Signer != nil {
		mcp.AddTool(server, &mcp.Tool{Name: "launch", OutputSchema: foundSchema(), Annotations: spend, Description: "Sign and launch what prepare_launch answered. It spends the user's SOL: show them the cost, the explanation and the settings first."}, s.launch)
	} else {
		mcp.AddTool(server, &mcp.Tool{Name: "submit_launch", OutputSchema: foundSchema(), Annotations: spend, Description: "Launch what prepare_launch answered, with the signature of the user's wallet."}, s.submit)
	}
	reads(server, "launch_status", "Ask for the outcome of a prepared launch.", func(ctx context.Context, in statusInput) (any, error) {
		return s.api().GetTransaction(ctx, in.TransactionID)
	})
}

func (s *session) beginSignIn(ctx context.Context, _ *mcp.CallToolRequest, in challengeInput) (*mcp.CallToolResult, challengeOutput, error) {
	wallet, err := address("wallet", in.Wallet)
	if err != nil {
		return nil, challengeOutput{}, err
	}
	issued, err := s.api().CreateChallenge(ctx, client.ChallengeRequest{Wallet: wallet})
	if err == nil {
		err = s.api().CheckChallenge(issued.Challenge, wallet)
	}
	if err != nil {
		return nil, challengeOutput{}, err
	}
	return nil, challengeOutput{issued.Challenge}, nil
}

func (s *session) finishSignIn(ctx context.Context, _ *mcp.CallToolRequest, in signInInput) (*mcp.CallToolResult, signedIn, error) {
	wallet, err := address("wallet", in.Wallet)
	if err != nil {
		return nil, signedIn{}, err
	}
	signature, err := solana.SignatureFromBase58(in.Signature)
	if err != nil {
		return nil, signedIn{}, fmt.Errorf("signature: must be 64 bytes in base58: %w", err)
	}
	got, err := s.api().VerifyChallenge(ctx, client.VerifyRequest{Wallet: wallet, Challenge: in.Challenge, Signature: signature})
	if err != nil {
		return nil, signedIn{}, err
	}
	c, err := s.Connect(client.WithSession(got))
	if err != nil {
		return nil, signedIn{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client, s.wallet = c, wallet
	return nil, signedIn{wallet.String()}, nil
}

// owner returns the wallet that launches.
func (s *session) owner() (solana.PublicKey, error) {
	if s.Signer != nil {
		return s.Signer.PublicKey(), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wallet.IsZero() {
		return solana.PublicKey{}, errors.New("sign in first: begin_sign_in, the wallet's signature, finish_sign_in")
	}
	return s.wallet, nil
}

// order creates the distribution wallet and uploads the picture of a launch.
func (s *session) order(ctx context.Context, in orderInput) (asked client.TokenCreation, wallet client.DistributionWallet, err error) {
	if _, err := s.owner(); err != nil {
		return asked, wallet, err
	}
	if asked, err = in.creation(); err != nil {
		return asked, wallet, err
	}
	if (in.Picture == "") == (in.ImageURI == "") {
		return asked, wallet, errors.New("picture: name a file, or an imageUri in its place")
	}
	if in.Picture != "" {
		picture, err := s.picture(in.Picture)
		if err != nil {
			return asked, wallet, err
		}
		stored, err := s.api().UploadImage(ctx, picture)
		if err != nil {
			return asked, wallet, err
		}
		asked.ImageURI = stored.ImageURI
	}
	wallet, err = s.api().GenerateDistributionWallet(ctx)
	asked.WalletID = wallet.WalletID
	return asked, wallet, err
}

// picture reads a file in the user's directory, which os.Root enforces. It rejects other files than
// pictures, so that a key in the directory is never uploaded.
func (s *session) picture(name string) ([]byte, error) {
	if s.Pictures == nil {
		return nil, errors.New("picture: the user named no folder of pictures (--pictures); give an imageUri")
	}
	content, err := s.Pictures.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	if kind := http.DetectContentType(content); kind != "image/png" && kind != "image/jpeg" {
		return nil, fmt.Errorf("picture: %s is %s: it must be a PNG or JPEG", name, kind)
	}
	return content, nil
}

func (s *session) prepare(ctx context.Context, _ *mcp.CallToolRequest, in orderInput) (*mcp.CallToolResult, prepared, error) {
	owner, err := s.owner()
	if err != nil {
		return nil, prepared{}, err
	}
	asked, wallet, err := s.order(ctx, in)
	if err != nil {
		return nil, prepared{}, err
	}
	would, err := s.api().ValidateToken(ctx, asked)
	if err == nil {
		err = s.affords(would.Cost)
	}
	if err != nil { // before the launch counts as a creation
		return nil, prepared{}, err
	}
	given, err := s.api().CreateUnsignedToken(ctx, asked)
	if err != nil {
		return nil, prepared{}, err
	}
	tx, err := client.CheckLaunch(owner, asked, wallet, given)
	if err != nil {
		return nil, prepared{}, err
	}
	if err := s.affords(given.Cost); err != nil {
		return nil, prepared{}, err
	}
	out := prepared{
		TransactionID: given.TransactionID, Mint: given.MintKeypair.PublicKey.String(),
		Settings: asked.SettingsText(owner, given.MintKeypair.PublicKey), Cost: given.Cost, Explanation: given.Explanation,
		WouldSucceed: given.Simulation.OK, WhyNot: given.Simulation.Detail, ExpiresAt: given.ExpiresAt.Format(time.RFC3339),
	}
	if s.Signer == nil {
		out.Transaction = given.Transaction
		return nil, out, nil
	}
	sum := sha256.Sum256(tx.Message().Bytes())
	until := s.Now().Add(planLives)
	out.Confirmation, out.ExpiresAt = hex.EncodeToString(sum[:]), until.UTC().Format(time.RFC3339)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans[out.Confirmation] = plan{asked: asked, wallet: wallet, given: given, until: until, settings: out.Settings}
	return nil, out, nil
}

// affords rejects a cost above the session's remaining limit.
func (s *session) affords(cost client.Cost) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.within(cost)
}

// within is affords for a caller that holds the lock.
func (s *session) within(cost client.Cost) error {
	budget := s.MaxLamports.Uint64()
	left := budget - min(s.spent, budget)
	if cost.TotalLamports.Uint64() <= left {
		return nil
	}
	return fmt.Errorf("it costs %s, and the user lets this session spend %s more (--most)", cost.TotalLamports, client.LamportsOf(left))
}

func (s *session) launch(ctx context.Context, call *mcp.CallToolRequest, in confirmInput) (*mcp.CallToolResult, found, error) {
	if asksUser(call) {
		if question, err := s.ask(call, in.Confirmation); question != nil || err != nil {
			return question, found{}, err
		}
	}
	p, err := s.take(in.Confirmation)
	if err != nil {
		return nil, found{}, err
	}
	signed, err := s.api().SignLaunch(ctx, p.asked, p.wallet, p.given)
	if err != nil {
		return nil, found{}, err
	}
	return s.finish(ctx, client.Submission{TransactionID: p.given.TransactionID, SignedTransaction: signed})
}

// asksUser reports whether the agent's host can ask the user a question.
func asksUser(call *mcp.CallToolRequest) bool {
	can := call.ClientCapabilities()
	return can != nil && can.Elicitation != nil && (can.Elicitation.Form != nil || can.Elicitation.URL == nil)
}

// consent is the name of the question to the user, and of the response.
const consent = "consent"

// ask returns the question for the user before a launch is signed, or nil after the user has
// accepted. If the user declines, the confirmation is deleted. Without an answer, the question can
// be asked again.
func (s *session) ask(call *mcp.CallToolRequest, confirmation string) (*mcp.CallToolResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := s.find(confirmation)
	if err != nil {
		return nil, err
	}
	answer, _ := call.Params.InputResponses[consent].(*mcp.ElicitResult)
	if answer == nil || !p.shown {
		p.shown = true
		s.plans[confirmation] = p
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{consent: &mcp.ElicitParams{
			Mode: "form", Message: p.question(), RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		}}}, nil
	}
	switch answer.Action {
	case "accept":
		return nil, nil //nolint:nilnil // there is no question left
	case "decline":
		delete(s.plans, confirmation)
		return nil, errors.New("the user declined: nothing was signed, and nothing was launched")
	}
	p.shown = false
	s.plans[confirmation] = p
	return nil, errors.New("the user did not answer: nothing was signed, and nothing was launched")
}

// question describes the checked launch to the user.
func (p plan) question() string {
	t := p.asked
	return fmt.Sprintf("Sign and launch %q (%q) with your wallet: %s tokens with a tax of %s%% on every transfer, for %s in all?\n\n- %s\n\n%s",
		t.Name, t.Symbol, t.Supply.Text(t.Decimals), t.TransferFeePercent, p.given.Cost.TotalLamports, strings.Join(p.given.Explanation, "\n- "), p.settings)
}

// find returns the plan of a confirmation. The caller holds the lock.
func (s *session) find(confirmation string) (plan, error) {
	p, ok := s.plans[confirmation]
	switch {
	case !ok:
		return plan{}, errors.New("confirmation: there is none such, or it was used: call prepare_launch, and name the one that it answers")
	case !s.Now().Before(p.until):
		delete(s.plans, confirmation)
		return plan{}, errors.New("confirmation: it was good for five minutes: call prepare_launch again")
	}
	return p, nil
}

// take removes a confirmation and adds the launch's cost to the session's spending. The cost stays
// spent after a failure, because a failed launch may still land.
func (s *session) take(confirmation string) (plan, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := s.find(confirmation)
	if err != nil {
		return plan{}, err
	}
	delete(s.plans, confirmation)
	if err := s.within(p.given.Cost); err != nil {
		return plan{}, err
	}
	s.spent += p.given.Cost.TotalLamports.Uint64()
	return p, nil
}

func (s *session) submit(ctx context.Context, _ *mcp.CallToolRequest, in submitInput) (*mcp.CallToolResult, found, error) {
	return s.finish(ctx, client.Submission{TransactionID: in.TransactionID, SignedTransaction: in.Signed})
}

func (s *session) finish(ctx context.Context, submission client.Submission) (*mcp.CallToolResult, found, error) {
	token, err := s.api().FinishLaunch(ctx, submission, client.LaunchHooks{})
	var unknown *client.UncertainError
	if errors.As(err, &unknown) {
		err = fmt.Errorf("%w: ask launch_status for transactionId %s, and do not launch it again meanwhile, for that could be a second token", err, submission.TransactionID)
	}
	return nil, found{strangers, token}, err
}

func address(field, text string) (solana.PublicKey, error) {
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return key, fmt.Errorf("%s: %q is not an address, which is base58 of 32 bytes", field, text)
	}
	return key, nil
}
