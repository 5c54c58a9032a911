// Command tokenlaunch launches tokens, shows and changes the distribution of the tokens' tax, shows
// and verifies distributions, and audits the tax of any token.
//
//	go run tokenlaunch.example/service/pkg/client/tokenlaunch --help
//
// Standard output has the result: text for people, or with --json one JSON document for programs.
// Standard error has everything else, such as questions and progress. The progress bar is drawn
// only on a terminal.
//
// The exit codes are
//
//	0  success; for verify and audit: no check failed
//	1  the service rejected the request, or the command failed
//	2  invalid usage
//	3  the service does not respond or a limit is reached; for verify and audit: the files or the
//	   node cannot be reached, so that a check is missing: try again later
//	4  a launch or another transaction was sent, and may or may not have arrived:
//	   see launch --resume, or look for the transaction; for verify: only a newer
//	   version of this command can judge the proof
//	5  the proof does not hold; for audit: amounts disagree
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/client/internal/build"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Exit codes.
const (
	good      = 0
	bad       = 1
	wrong     = 2
	later     = 3
	uncertain = 4
	refuted   = 5
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// grammar is the command line.
type grammar struct {
	API    string `help:"Address of the API." env:"TOKENLAUNCH_API" default:"http://localhost:8080" placeholder:"URL"`
	Key    string `help:"File with the wallet's key, as solana-keygen or docs/wallet.mjs makes it." env:"TOKENLAUNCH_KEY" placeholder:"FILE"`
	Domain string `help:"As whom the service's sign-in messages name it, if that is not the API's host." env:"TOKENLAUNCH_DOMAIN" placeholder:"HOST"`
	JSON   bool   `help:"Write one JSON document to standard output, for programs."`
	// Release is the flag --version.
	Release kong.VersionFlag `name:"version" help:"Show of which release this command is."`

	Launch   launchCommand `cmd:"" help:"Launch a token."`
	Status   showStatus    `cmd:"" help:"Show the outcome of one of your launches."`
	Mine     listMine      `cmd:"" help:"List your tokens, and launches that wait for the chain."`
	Settings struct {
		Show    showSettings `cmd:"" help:"Show how the tax of a token of yours is distributed."`
		Set     setSettings  `cmd:"" help:"Change it, and sign what it becomes. What is not named stays."`
		Sign    signSettings `cmd:"" help:"Sign the settings in force, so that the proofs show your consent."`
		History showHistory  `cmd:"" help:"List the changes of any token's settings, newest first, and which of them the creator signed."`
		Link    linkGroup    `cmd:"" help:"Get a code that an administrator posts in the Telegram group, so that the group is told."`
	} `cmd:"" help:"How the tax of a token is distributed."`
	Handover struct {
		Show   showHandover   `cmd:"" help:"Show the newest order."`
		Order  orderHandover  `cmd:"" help:"Order it, by your wallet's signature. It is public at once, and takes effect after a delay."`
		Cancel cancelHandover `cmd:"" help:"Cancel the order that waits."`
	} `cmd:"" help:"Hand the authority over a token's tax over to another address."`
	Guarded struct {
		Show   showGuarded   `cmd:"" help:"Show the newest order that the guardian has seen."`
		Order  orderGuarded  `cmd:"" help:"Order it at the guardian, by your wallet's signature. Anyone can read the order. The guardian signs after a delay."`
		Cancel cancelGuarded `cmd:"" help:"Cancel the newest order at the guardian."`
		Move   moveGuarded   `cmd:"" help:"Carry the order out: you and the guardian sign, and you pay the fee."`
	} `cmd:"" help:"Hand the authority over the tax of a token with a guardian over to another address, without the service."`
	Runs struct {
		List    listRuns   `cmd:"" help:"List a token's distributions, newest first."`
		Show    showRun    `cmd:"" help:"Show one distribution."`
		Preview previewRun `cmd:"" help:"Compute the next one."`
		Holder  showHolder `cmd:"" help:"Show what a wallet got of the last one, what it is owed, and why."`
	} `cmd:"" help:"What was distributed."`
	Holder     showLedger        `cmd:"" help:"Show what a wallet has received of all its tokens, what it is owed, and why it waits."`
	Claim      claimCommand      `cmd:"" help:"Claim what your wallet is owed, now and not with the next distribution."`
	Curve      curveCommand      `cmd:"" help:"A token's bonding curve: make it, look at it, trade with it, cancel it."`
	Pool       poolCommand       `cmd:"" help:"Make a Raydium pool of tokens that you hold and SOL."`
	Feature    featureCommand    `cmd:"" help:"Pay for a featured placement of a token of yours."`
	Fees       feesCommand       `cmd:"" help:"The trading fees that a token's bonding curve earns its creator."`
	Lock       lockCommand       `cmd:"" help:"Lock tokens that you hold, to be released over time."`
	Tokens     listTokens        `cmd:"" help:"List tokens, all or by how their names begin."`
	Stats      showStats         `cmd:"" help:"Show what the holders of all tokens were paid, with the anchors of proofs."`
	Trades     listTrades        `cmd:"" help:"List the trades on a token's curve, newest first."`
	Candles    listCandles       `cmd:"" help:"List the candles of a token's curve, newest first."`
	Verify     verifyCommand     `cmd:"" help:"Verify the proof of a distribution."`
	Audit      auditCommand      `cmd:"" help:"Report where the tax of any token went, from the chain alone."`
	MCP        mcpCommand        `cmd:"" name:"mcp" help:"Serve an AI agent over standard input and output (Model Context Protocol)."`
	Help       helpCommand       `cmd:"" help:"Show the help of a command."`
	Completion completionCommand `cmd:"" help:"Write the completion script of a shell."`
	Complete   completeCommand   `cmd:"" hidden:"" help:"List what can come next, for the completion scripts."`
	Version    showVersion       `cmd:"" help:"Show of which release this command is."`
	Webhooks   webhooksCommand   `cmd:"" help:"Have what happens to your tokens told to your own server."`
}

// program is the environment of a command.
type program struct {
	ctx       context.Context
	in        io.Reader
	out, errs screen
	json      bool
	api       string
	key       string
	domain    string
}

func run(ctx context.Context, arguments []string, in io.Reader, out, errs io.Writer) int {
	var g grammar
	asked := false // true after --help
	parser, err := kong.New(&g, kong.Name("tokenlaunch"), kong.Writers(screen{out}.writer(), screen{errs}.writer()), kong.Exit(func(int) { asked = true }),
		kong.Description("Launches tokens, and shows, changes and verifies how their tax is distributed."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Help(printHelp), kong.Vars{
			"version": "tokenlaunch " + build.Read().Version, "intervals": choices(terms.Intervals()), "interval": string(terms.Default(solana.PublicKey{}).Interval),
			"events": choices(client.WebhookEvents()), "candles": choices(client.CandleIntervals()),
		})
	if err != nil {
		screen{errs}.printf("tokenlaunch: %v\n", err)
		return wrong
	}
	parsed, err := parser.Parse(arguments)
	if asked {
		return good
	}
	if err != nil {
		p := &program{out: screen{out}, errs: screen{errs}, json: slices.Contains(arguments, "--json")}
		p.fail(err)
		p.errs.printf("Say tokenlaunch --help for what there is.\n")
		return wrong
	}
	p := &program{ctx: ctx, in: in, out: screen{out}, errs: screen{errs}, json: g.JSON, api: g.API, key: g.Key, domain: g.Domain}
	if err := parsed.Run(p); err != nil {
		p.fail(err)
		return exitCode(err)
	}
	return good
}

// usageError is the error of an invalid command line.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usage(format string, values ...any) error { return usageError{fmt.Sprintf(format, values...)} }

// errUnproven is returned by verify if a proof does not hold. The report names the reason.
var errUnproven = errors.New("the proof does not hold")

// errDiffers is returned by audit if amounts disagree. The report names the amounts.
var errDiffers = errors.New("something does not agree")

// errUnchecked is returned by verify if files or a node cannot be reached. The report names the
// missing part.
var errUnchecked = errors.New("the proof could not be checked")

// errTooNew is returned by verify if only a newer verifier can judge a proof. The report names the
// reason.
var errTooNew = errors.New("the proof is too new for this verifier")

func exitCode(err error) int {
	var (
		called  usageError
		unknown *client.UncertainError
		sent    *client.UndecidedError
		refused *client.Problem
		bounds  *client.SettingsError
		away    *apperr.Error
	)
	switch {
	case errors.Is(err, errUnproven), errors.Is(err, errDiffers):
		return refuted
	case errors.Is(err, errUnchecked):
		return later
	case errors.As(err, &called), errors.As(err, &bounds), errors.Is(err, client.ErrNoSigner):
		return wrong
	case errors.As(err, &unknown), errors.As(err, &sent), errors.Is(err, errTooNew):
		return uncertain
	case errors.As(err, &refused):
		if refused.Status == http.StatusTooManyRequests || refused.Status >= http.StatusInternalServerError {
			return later
		}
		return bad
	case client.IsNoResponse(err), errors.As(err, &away) && away.Kind() == apperr.Unavailable:
		return later
	}
	return bad
}

// fail prints an error.
func (p *program) fail(err error) {
	if slices.ContainsFunc([]error{errUnproven, errDiffers, errUnchecked, errTooNew}, func(told error) bool { return errors.Is(err, told) }) {
		return
	}
	text := err.Error()
	if errors.Is(err, client.ErrNoSigner) {
		text = "this needs your wallet: name its key file with --key FILE, or in TOKENLAUNCH_KEY"
	}
	var refused *client.Problem
	errors.As(err, &refused)
	p.errs.printf("tokenlaunch: %s\n", text)
	if refused != nil && refused.RequestID != "" {
		p.errs.printf("The service's logs know it as request %s.\n", refused.RequestID)
	}
	if p.json {
		_ = p.write(map[string]any{"error": struct {
			Message string          `json:"message"`
			Problem *client.Problem `json:"problem,omitempty"`
		}{text, refused}})
	}
}

// write prints one JSON document on standard output.
func (p *program) write(v any) error {
	var document bytes.Buffer
	e := json.NewEncoder(&document)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := p.out.to.Write(escapeJSON(document.Bytes()))
	return err
}

// client returns a client of the API, with the wallet if the command needs the wallet.
func (p *program) client(needsWallet bool) (*client.Client, error) {
	if !needsWallet {
		return p.connect()
	}
	wallet, err := p.wallet()
	if err != nil {
		return nil, err
	}
	return p.connect(client.WithSigner(wallet))
}

// wallet loads the user's key.
func (p *program) wallet() (client.Key, error) {
	if p.key == "" {
		return client.Key{}, client.ErrNoSigner
	}
	wallet, exposed, err := client.LoadKey(p.key)
	if err != nil {
		return client.Key{}, usage("--key: %v", err)
	}
	if exposed {
		p.errs.printf("Warning: others can read %s. Say: chmod 600 %s\n", p.key, p.key)
	}
	return wallet, nil
}

// connect returns a client of the API.
func (p *program) connect(more ...client.Option) (*client.Client, error) {
	options := []client.Option{
		client.WithUserAgent("tokenlaunch/" + build.Read().Version),
		client.WithRetryNotice(func(r client.Retry) {
			if r.Wait >= time.Second {
				p.errs.printf("%v; next try in %s\n", r.Err, r.Wait.Round(time.Second))
			}
		}),
	}
	if p.domain != "" {
		options = append(options, client.WithDomain(p.domain))
	}
	c, err := client.New(p.api, append(options, more...)...)
	if err != nil {
		return nil, usage("--api: %v", err)
	}
	return c, nil
}

// choices formats a list for a help text.
func choices[T ~string](list []T) string { return strings.Join(texts(list), ", ") }

// texts converts words to plain strings.
func texts[T ~string](list []T) []string {
	words := make([]string, 0, len(list))
	for _, one := range list {
		words = append(words, string(one))
	}
	return words
}
