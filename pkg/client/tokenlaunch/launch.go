package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"tokenlaunch.example/service/pkg/client"
)

type launchCommand struct {
	orderFlags

	Yes    bool   `help:"Do not ask before signing." short:"y"`
	DryRun bool   `help:"Check the launch and say what it would cost, and launch nothing." xor:"how"`
	Most   string `help:"The most SOL that it may cost in all." default:"0.1" placeholder:"SOL"`
	Resume string `help:"Finish the launch that was kept in this file, and launch nothing new." type:"existingfile" placeholder:"FILE" xor:"how"`
}

const solDecimals = 9

// launched is the result, for programs.
type launched struct {
	Token client.Token      `json:"token"`
	Cost  *client.Cost      `json:"cost,omitempty"`
	Links map[string]string `json:"links"`
}

// Run launches a token.
func (l launchCommand) Run(p *program) error {
	c, err := p.client(true)
	if err != nil {
		return err
	}
	steps := client.LaunchSteps()
	if l.Resume != "" {
		return l.resume(p, c)
	}
	order, err := l.order()
	if err != nil {
		return err
	}
	if l.DryRun {
		return l.validate(p, c, order)
	}
	most, err := client.ParseDecimal(l.Most, solDecimals)
	if err != nil {
		return usage("--most: %v", err)
	}
	if err := p.answerable(l.Yes); err != nil {
		return err
	}
	order.MostLamports = client.LamportsOf(max(1, most))
	bar := p.start(len(steps), "launch", true)
	defer bar.end()
	var (
		cost, shown client.Cost
		kept        string
	)
	token, err := c.Launch(p.ctx, order, client.LaunchHooks{
		Begin: func(s client.LaunchStep) { bar.at(slices.Index(steps, s), len(steps), string(s)) },
		Preview: func(would client.ValidToken) error {
			bar.pause()
			shown = would.Cost
			return l.preview(p, order.Token, would)
		},
		Approve: func(u client.UnsignedToken) error {
			bar.pause()
			cost = u.Cost
			return l.approve(p, shown, u)
		},
		Signed: func(s client.Submission) (err error) {
			kept, err = keep(s)
			return err
		},
	})
	bar.end()
	if err = p.settle(kept, err); err != nil {
		return err
	}
	return p.showLaunch(c, token, &cost)
}

// validate says what the launch would cost and do.
func (launchCommand) validate(p *program, c *client.Client, order client.Order) error {
	would, err := c.Validate(p.ctx, order)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(would)
	}
	p.describe(would.Explanation, would.Cost)
	return nil
}

// describe says what a launch does and costs.
func (p *program) describe(explanation []string, c client.Cost) {
	for _, sentence := range explanation {
		p.errs.printf("  - %s\n", sentence)
	}
	p.errs.printf("It costs %s: %s of network fees, %s of rent, %s for the distribution wallet's own fees.\n",
		c.TotalLamports, c.NetworkFeeLamports, c.RentLamports, c.DistributionWalletFundingLamports)
}

// resume finishes a launch that was kept.
func (l launchCommand) resume(p *program, c *client.Client) error {
	content, err := os.ReadFile(l.Resume)
	if err != nil {
		return usage("--resume: %v", err)
	}
	var s client.Submission
	if err := json.Unmarshal(content, &s); err != nil || s.TransactionID == "" {
		return usage("--resume: %s is not a launch that was kept", l.Resume)
	}
	token, err := c.FinishLaunch(p.ctx, s, client.LaunchHooks{})
	if err = p.settle(l.Resume, err); err != nil {
		return err
	}
	return p.showLaunch(c, token, nil)
}

// settle removes what was kept of a launch once it is decided, and says where it is as long
// as it is not.
func (p *program) settle(kept string, err error) error {
	var unknown *client.UncertainError
	switch {
	case kept == "":
	case errors.As(err, &unknown):
		p.errs.printf("Do not launch it again: that could be a second token. This finds out, and finishes it:\n  tokenlaunch launch --resume %s\n", kept)
	default:
		_ = os.Remove(kept)
	}
	return err
}

// keep puts a signed launch into a file of the user, before it is submitted.
func keep(s client.Submission) (string, error) {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	folder = filepath.Join(folder, "tokenlaunch")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("keep the launch until it is decided: %w", err)
	}
	content, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("keep the launch until it is decided: %w", err)
	}
	path := filepath.Join(folder, filepath.Base(s.TransactionID)+".json")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return "", fmt.Errorf("keep the launch until it is decided: %w", err)
	}
	return path, nil
}

// rise is by which part of a launch's cost the priority fee may raise the cost between the question
// and the signature without a second question.
const rise = 100

// preview shows what the launch would cost and do, and asks. Nothing counts as a creation yet.
func (l launchCommand) preview(p *program, t client.TokenCreation, would client.ValidToken) error {
	p.errs.printf("\nThis launches %s (%s): %s tokens, with a tax of %s%% on every transfer.\n", t.Name, t.Symbol, t.Supply.Text(t.Decimals), t.TransferFeePercent)
	p.describe(would.Explanation, would.Cost)
	if l.Yes {
		return nil
	}
	return p.ask("Sign and launch it? The priority fee follows the network: the cost may become 1% more.", "not signed, and nothing was launched")
}

// approve checks the transaction against what was shown. It asks again only if the cost has risen.
func (l launchCommand) approve(p *program, shown client.Cost, u client.UnsignedToken) error {
	if s := u.Simulation; !s.OK {
		p.errs.printf("It would fail now: %s %s\n", s.Reason, s.Detail)
		if s.MissingLamports.Uint64() > 0 {
			p.errs.printf("Your wallet lacks %s.\n", s.MissingLamports)
		}
		return fmt.Errorf("not signed, for it would fail: %s", s.Reason)
	}
	if l.Yes || u.Cost.TotalLamports.Uint64() <= shown.TotalLamports.Uint64()/rise*(rise+1) {
		return nil
	}
	p.errs.printf("The cost has risen to %s.\n", u.Cost.TotalLamports)
	return p.ask("Sign and launch it?", "not signed, and nothing was launched")
}

// answerable rejects a command that would ask a question which no one can answer, before anything
// is requested of the service. A pipe may still be written to.
func (p *program) answerable(yes bool) error {
	if file, ok := p.in.(*os.File); ok {
		info, err := file.Stat()
		yes = yes || err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 || term.IsTerminal(int(file.Fd())) // #nosec G115 -- a descriptor
	}
	if yes {
		return nil
	}
	in := bufio.NewReader(p.in)
	p.in = in
	if _, err := in.Peek(1); err != nil {
		return errNoAnswer
	}
	return nil
}

// errNoAnswer is returned when a question has no answer.
var errNoAnswer = usage("there is no answer: say --yes to sign without being asked")

// ask asks before something is signed. It fails unless the answer is yes.
func (p *program) ask(question, refused string) error {
	p.errs.printf("%s [y/N] ", question)
	in := bufio.NewReader(p.in) // itself, if it is one
	p.in = in
	answer, err := in.ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "y" || answer == "yes" {
		return nil
	}
	if err != nil {
		return errNoAnswer
	}
	return errors.New(refused)
}

// explorers show mints, by the network.
var explorers = map[client.Network]string{
	client.NetworkMainnet: "https://explorer.solana.com/address/%s", client.NetworkDevnet: "https://explorer.solana.com/address/%s?cluster=devnet",
}

func (p *program) showLaunch(c *client.Client, t client.Token, cost *client.Cost) error {
	links := map[string]string{"page": p.api + "/t/" + t.MintAddress.String(), "image": t.ImageURL}
	if health, err := c.GetHealth(p.ctx); err == nil && explorers[health.Network] != "" {
		links["explorer"] = fmt.Sprintf(explorers[health.Network], t.MintAddress)
	}
	if p.json {
		return p.write(launched{t, cost, links})
	}
	p.table([][2]string{
		{"token", fmt.Sprintf("%s (%s)", t.Name, t.Symbol)},
		{"status", string(t.Status)},
		{"mint", t.MintAddress.String()},
		{"signature", t.Signature.String()},
		{"distribution wallet", t.DistributionWallet.Address.String()},
		{"page", links["page"]},
		{"image", links["image"]},
		{"explorer", links["explorer"]},
	})
	return nil
}
