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

// launched is the JSON result of a launch.
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
	maximum, err := client.ParseDecimal(l.Most, solDecimals)
	if err != nil {
		return usage("--most: %v", err)
	}
	if err := p.answerable(l.Yes); err != nil {
		return err
	}
	order.MaxLamports = client.LamportsOf(max(1, maximum))
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

// validate shows the cost and the effects of the launch.
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

// describe prints the effects and the cost of a launch.
func (p *program) describe(explanation []string, c client.Cost) {
	for _, sentence := range explanation {
		p.errs.printf("  - %s\n", sentence)
	}
	p.errs.printf("It costs %s: %s of network fees, %s of rent, %s for the distribution wallet's own fees.\n",
		c.TotalLamports, c.NetworkFeeLamports, c.RentLamports, c.DistributionWalletFundingLamports)
}

// resume finishes a launch from a stored file.
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

// settle removes the stored file of a decided launch. If the launch is undecided, settle prints the
// path of the file.
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

// keep stores a signed launch in the user's cache directory before the submission.
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

// rise is the reciprocal of the fraction by which the priority fee may raise a launch's cost after
// the user's answer without another question: 1 %.
const rise = 100

// preview shows the cost and the effects of the launch, and asks the user. The launch does not
// count as a creation yet.
func (l launchCommand) preview(p *program, t client.TokenCreation, would client.ValidToken) error {
	p.errs.printf("\nThis launches %s (%s): %s tokens, with a tax of %s%% on every transfer.\n", t.Name, t.Symbol, t.Supply.Text(t.Decimals), t.TransferFeePercent)
	p.describe(would.Explanation, would.Cost)
	if l.Yes {
		return nil
	}
	return p.ask("Sign and launch it? The priority fee follows the network: the cost may become 1% more.", "not signed, and nothing was launched")
}

// approve rejects a transaction that would fail, and asks again only if the cost has risen.
func (l launchCommand) approve(p *program, shown client.Cost, u client.UnsignedToken) error {
	if s := u.Simulation; !s.OK {
		p.errs.printf("It would fail now: %s %s\n", s.Reason, s.Detail)
		if s.MissingLamports.Uint64() > 0 {
			p.errs.printf("Your wallet lacks %s.\n", s.MissingLamports)
		}
		return fmt.Errorf("not signed, because it would fail: %s", s.Reason)
	}
	if l.Yes || u.Cost.TotalLamports.Uint64() <= shown.TotalLamports.Uint64()/rise*(rise+1) {
		return nil
	}
	p.errs.printf("The cost has risen to %s.\n", u.Cost.TotalLamports)
	return p.ask("Sign and launch it?", "not signed, and nothing was launched")
}

// answerable rejects a command without a possible answer to the question, before the first request
// to the service. A pipe may still receive an answer later.
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

// ask asks the user before a signature. It returns an error unless the answer is yes.
func (p *program) ask(question, refused string) error {
	p.errs.printf("%s [y/N] ", question)
	in := bufio.NewReader(p.in) // the same reader if p.in is a bufio.Reader
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

// explorers are the addresses of pages about mints, by network.
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
