package main

import (
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/infra/local/curves"
	"tokenlaunch.example/service/infra/local/hooks"
	"tokenlaunch.example/service/pkg/api/apigw"
	authendpoint "tokenlaunch.example/service/pkg/api/endpoint/auth"
	"tokenlaunch.example/service/pkg/api/endpoint/authorizer"
	"tokenlaunch.example/service/pkg/api/endpoint/burns"
	"tokenlaunch.example/service/pkg/api/endpoint/distribution"
	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/api/endpoint/images"
	"tokenlaunch.example/service/pkg/api/endpoint/tokens"
	"tokenlaunch.example/service/pkg/api/endpoint/webhooks"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/lambdafn"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/webhooktable"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/aws/windowtable/statusrecord"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/handover"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/wallet"
	"tokenlaunch.example/service/pkg/web/page"
)

// service runs the functions' handlers in this process, wired to the local stack like in their main
// packages, with two differences. A meter counts the requests to DynamoDB, and the limiter's clock
// can be advanced.
type service struct {
	handlers   map[string]http.Handler // by function
	authorizer authorizer.Authorizer
	limiter    windowtable.Limiter
	runs       ledgertable.Runs
	groups     consents.Store
	curves     curves.Store
	hooks      hooks.Table
	meter      *meter.Meter
	clock      *clock
}

// clock is the limiter's clock: the real time plus the advance.
type clock struct{ ahead time.Duration }

func (c *clock) now() time.Time { return time.Now().Add(c.ahead) }

// wiring has the shared parts of several functions.
type wiring struct {
	env   environments
	aws   aws.Config
	db    *dynamodb.Client
	log   *slog.Logger
	clock *clock
	// guesses counts the guesses of all limiters, because the limiters share windows.
	guesses *atomic.Int64
}

func newService(env environments) (*service, error) {
	cfg, err := awsconfig.Config()
	if err != nil {
		return nil, err
	}
	s := &service{meter: &meter.Meter{}, clock: &clock{}}
	metered := cfg.Copy()
	metered.APIOptions = append(metered.APIOptions, s.meter.Middleware)
	w := wiring{
		env: env, aws: cfg, db: dynamo.New(metered), clock: s.clock, guesses: new(atomic.Int64),
		log: telemetry.New(io.Discard, slog.LevelInfo, "bench"), // lines are formatted and dropped
	}
	s.authorizer, s.limiter = w.authorizer(), w.limiter(route.FunctionTokens)
	s.limiter.Rand = rand.Int64N
	s.runs = ledgertable.Runs{Client: w.db, Table: env[route.FunctionDistribution]["LEDGER_TABLE"], Now: time.Now}
	s.hooks = hooks.Table{Client: w.db, Name: env[route.FunctionWebhooks]["WEBHOOK_TABLE"]}
	s.groups = consents.Store{Client: w.db, Table: env[route.FunctionDistribution]["LAUNCH_TABLE"]}
	s.curves = curves.Store{Client: w.db, Table: env[route.FunctionLaunchpad]["LAUNCH_TABLE"]}
	s.handlers = map[string]http.Handler{}
	for function, wire := range map[string]func() (map[string]apigw.HandlerFunc, error){
		route.FunctionAuth: w.auth, route.FunctionDocs: w.docs, route.FunctionImages: w.images, route.FunctionTokens: w.tokens,
		route.FunctionDistribution: w.distribution, route.FunctionBurns: w.burns,
		route.FunctionDex: w.dex, route.FunctionLaunchpad: w.launchpad, route.FunctionFeatured: w.featured,
		route.FunctionWebhooks: w.webhooks,
	} {
		handlers, err := wire()
		if err != nil {
			return nil, fmt.Errorf("wire %s: %w", function, err)
		}
		api := apigw.API{Limiter: w.limiter(function), Log: w.log, Now: time.Now}
		switch function {
		case route.FunctionImages, route.FunctionTokens, route.FunctionDistribution,
			route.FunctionDex, route.FunctionLaunchpad, route.FunctionFeatured:
			api.Answers = windowtable.Answers{Client: w.db, Table: w.env[function]["WINDOW_TABLE"]}
		}
		if s.handlers[function], err = api.Handler(function, handlers); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// node returns the client of the chain. The function's secret has the chain's address.
func (w wiring) node(env map[string]string) *solanarpc.Client {
	return solanarpc.From(secretsmanager.New(w.aws, w.log).Source(env["RPC_SECRET"], solanarpc.CheckAddresses))
}

// limiter returns the limiter of a function, except that its guesses at a free place are
// sequential. With random guesses, a request would sometimes need another guess. countingLate
// measures random guesses.
func (w wiring) limiter(function string) windowtable.Limiter {
	return windowtable.Limiter{
		Client: w.db, Table: w.env[function]["WINDOW_TABLE"], Now: w.clock.now,
		Rand: func(n int64) int64 { return w.guesses.Add(1) % n },
	}
}

func (w wiring) keys(env map[string]string) *jwt.CachedKeys {
	client := awskms.NewFromConfig(w.aws)
	return &jwt.CachedKeys{Fetch: kms.P256Keys{Client: client, IDs: strings.Split(env["JWT_KEY_IDS"], ",")}.PublicKeys}
}

func (w wiring) authorizer() authorizer.Authorizer {
	env := w.env["authorizer"]
	revoked := &jwt.CachedRevocations{Fetch: windowtable.Revocations{Client: w.db, Table: env["WINDOW_TABLE"]}.Revocations, Now: time.Now}
	return authorizer.Authorizer{
		Verifier: jwt.Verifier{Keys: w.keys(env), Revoked: revoked, Issuer: env["JWT_ISSUER"], Audience: env["JWT_AUDIENCE"], Now: time.Now},
		Log:      w.log,
	}
}

func (w wiring) auth() (map[string]apigw.HandlerFunc, error) {
	env := w.env[route.FunctionAuth]
	sites, err := auth.NewSites(env["PUBLIC_URL"], env["NETWORK"])
	signing, _, _ := strings.Cut(env["JWT_KEY_IDS"], ",")
	return authendpoint.Handlers(auth.Service{
		Store: windowtable.Challenges{Client: w.db, Table: env["WINDOW_TABLE"]},
		Tokens: jwt.Issuer{
			Keys: w.keys(env), Signer: kms.P256Signer{Client: awskms.NewFromConfig(w.aws), KeyID: signing},
			Issuer: env["JWT_ISSUER"], Audience: env["JWT_AUDIENCE"], Now: time.Now, NewID: uuid.NewString,
		},
		Sites: sites, Now: time.Now, Rand: cryptorand.Reader,
	}), err
}

func (w wiring) docs() (map[string]apigw.HandlerFunc, error) {
	env := w.env[route.FunctionDocs]
	site, err := page.New(page.Config{
		Network: env["NETWORK"], Stage: env["STAGE"], APIURL: env["PUBLIC_URL"],
		RPCURL: env["PAGE_RPC_URL"], FilesURL: env["PAGE_FILES_URL"], ProofURL: env["PAGE_PROOF_URL"], GatewayURL: env["IPFS_GATEWAY_URL"],
		Explorer: page.NewExplorer(env["NETWORK"], env["PAGE_RPC_URL"]), Burner: env["PAGE_BURNER"] == "true", Version: docs.Version(),
	})
	if err != nil {
		return nil, err
	}
	return docs.Handlers(docs.Config{
		Site: site, Tokens: launchtable.Tokens{Client: w.db, Table: env["LAUNCH_TABLE"]}, Log: w.log,
		Figures:   figures.Store{Client: w.db, Table: env["LAUNCH_TABLE"], Now: time.Now},
		Pictures:  s3store.Bucket{Client: s3.NewFromConfig(w.aws), Name: env["ASSET_BUCKET"]},
		FilesURL:  env["PAGE_FILES_URL"],
		PublicURL: env["PUBLIC_URL"], Stage: env["STAGE"], Network: env["NETWORK"],
		Keys: w.keys(env), Now: time.Now,
		Status: statusrecord.Store{Client: w.db, Table: env["WINDOW_TABLE"]},
	})
}

func (w wiring) files(env map[string]string) (content.Store, error) {
	pinner, err := ipfs.NewKubo(env["IPFS_API_URL"]) // the bench uses the embedded node
	return content.Store{
		Objects: s3store.Bucket{Client: s3.NewFromConfig(w.aws), Name: env["ASSET_BUCKET"]},
		Pinner:  pinner, CID: ipfs.CID, Log: w.log,
		Queue: sqsqueue.Pins{Client: sqs.NewFromConfig(w.aws), URL: env["PIN_QUEUE_URL"]},
	}, err
}

func (w wiring) images() (map[string]apigw.HandlerFunc, error) {
	env := w.env[route.FunctionImages]
	files, err := w.files(env)
	return images.Endpoint{
		Assets: files, Records: launchtable.Images{Client: w.db, Table: env["LAUNCH_TABLE"]}, Now: time.Now,
		Limiter: w.limiter(route.FunctionImages), PerAddress: 1000,
	}.Handlers(), err
}

func (w wiring) tokens() (map[string]apigw.HandlerFunc, error) {
	env := w.env[route.FunctionTokens]
	table := env["LAUNCH_TABLE"]
	node := w.node(env)
	preparer, err := w.preparer(node, env)
	if err != nil {
		return nil, err
	}
	files, err := w.files(env)
	if err != nil {
		return nil, err
	}
	number := func(name string) (n int) {
		if err == nil {
			n, err = strconv.Atoi(env[name])
		}
		return n
	}
	authority := &kms.Ed25519Signer{Client: awskms.NewFromConfig(w.aws), KeyID: env["NONCE_KEY_ID"]}
	wallets := launchtable.Wallets{Client: w.db, Table: table, Now: time.Now}
	endpoint := tokens.Endpoint{
		Wallets: wallet.Service{
			Deriver: lambdafn.Deriver{Client: lambda.NewFromConfig(w.aws), FunctionName: env["DERIVER_FUNCTION"]},
			Store:   wallets, Now: time.Now, NewID: uuid.NewString,
		},
		Launches: launch.Service{
			Store:   launchtable.Launches{Client: w.db, Table: table},
			Wallets: wallets,
			Images:  launchtable.Images{Client: w.db, Table: table},
			Names:   launchtable.Blocks{Client: w.db, Table: table},
			Files:   files,
			Nonces: nonce.Pool{
				Store: launchtable.Nonces{Client: w.db, Table: table}, Chain: node, Authority: authority,
				Max: number("NONCE_POOL_MAX"), Now: time.Now, Memory: &nonce.Memory{},
			},
			Signer: authority, MintMAC: kms.HMAC{Client: awskms.NewFromConfig(w.aws), KeyID: env["MINT_KEY_ID"]},
			Lifetime: launch.Lifetime(env["LAUNCH_LIFETIME"]), Chain: node,
			Limiter: w.limiter(route.FunctionTokens), LeasesPerIP: number("LEASES_PER_IP"),
			Preparer:        preparer,
			FundingLamports: uint64(max(0, number("WALLET_FUNDING_LAMPORTS"))),
			ConfirmWithin:   15 * time.Second,
			Now:             time.Now, NewID: uuid.NewString, Log: w.log,
		},
		Records: launchtable.Tokens{Client: w.db, Table: table},
		Figures: figures.Store{Client: w.db, Table: table, Now: time.Now},
		Gateway: env["IPFS_GATEWAY_URL"],
		Now:     time.Now,
	}
	return endpoint.Handlers(), err
}

func (w wiring) preparer(node *solanarpc.Client, env map[string]string) (transaction.Preparer, error) {
	floor, floorErr := strconv.ParseUint(env["PRIORITY_FEE_MICROLAMPORTS"], 10, 64)
	most, maxErr := strconv.ParseUint(env["PRIORITY_FEE_MAX_MICROLAMPORTS"], 10, 64)
	if err := errors.Join(floorErr, maxErr); err != nil {
		return transaction.Preparer{}, fmt.Errorf("read what is offered for a compute unit: %w", err)
	}
	return transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: floor, Cap: most}, Now: time.Now, NewID: uuid.NewString}, nil
}

func (w wiring) distribution() (map[string]apigw.HandlerFunc, error) {
	env := w.env[route.FunctionDistribution]
	node := w.node(env)
	preparer, err := w.preparer(node, env)
	tokens := launchtable.Tokens{Client: w.db, Table: env["LAUNCH_TABLE"]}
	groups := consent.Service{Store: consents.Store{Client: w.db, Table: env["LAUNCH_TABLE"]}, Now: time.Now}
	teller := notice.Publisher{
		Links:     groups,
		Queue:     sqsqueue.Notices{Client: sqs.NewFromConfig(w.aws), URL: env["NOTICE_QUEUE_URL"]},
		PublicURL: env["PUBLIC_URL"], GatewayURL: env["IPFS_GATEWAY_URL"], Now: time.Now,
	}
	runs := ledgertable.Runs{Client: w.db, Table: env["LEDGER_TABLE"], Now: time.Now}
	proofs := books.Source{Objects: s3store.Bucket{Client: s3.NewFromConfig(w.aws), Name: env["ASSET_BUCKET"]}}
	ledger := holder.Ledger{Tokens: tokens, Heads: runs, Proofs: proofs, Chain: node}
	versions := launchtable.Versions{Tokens: tokens, Settings: env["SETTINGS_TABLE"]}
	return distribution.Endpoint{
		Tokens: tokens, Changes: versions,
		Settings: settings.Service{
			Store: launchtable.Settings{Versions: versions, Ledger: env["LEDGER_TABLE"]}, Chain: node, Preparer: preparer,
			Records: issued.Store{Client: w.db, Table: env["LAUNCH_TABLE"]},
			Now:     time.Now, Pause: settings.ShortPause, Log: w.log,
		},
		Telegram: teller, Groups: groups, NewID: uuid.NewString,
		Runs: runs, Proofs: proofs,
		Chain: node, Previews: &distribution.Previews{}, Gateway: env["IPFS_GATEWAY_URL"],
		Ledger: ledger, Pages: &distribution.Pages{}, Payments: holder.Payments{Ledger: ledger, History: runs},
		Handovers: handover.Service{Store: ledgertable.Handovers{Client: w.db, Table: env["LEDGER_TABLE"]}, Delay: 7 * 24 * time.Hour, Now: time.Now},
		Claims: holder.Claims{
			Ledger: ledger, Costs: run.CostsAt(preparer.Price.Floor, 0), Now: time.Now,
			Orders: ledgertable.Claims{Client: w.db, Table: env["LEDGER_TABLE"]},
			Hints:  sqsqueue.Runs{Client: sqs.NewFromConfig(w.aws), URL: env["RUN_QUEUE_URL"]},
		},
		Now: w.clock.now, // so that no preview is stale
	}.Handlers(), err
}

func (w wiring) webhooks() (map[string]apigw.HandlerFunc, error) {
	env := w.env[route.FunctionWebhooks]
	return webhooks.Endpoint{Webhooks: webhook.Service{
		Store:   webhooktable.Store{Client: w.db, Table: env["WEBHOOK_TABLE"]},
		Tokens:  launchtable.Tokens{Client: w.db, Table: env["LAUNCH_TABLE"]},
		Secrets: webhook.Keys{MAC: kms.HMAC{Client: awskms.NewFromConfig(w.aws), KeyID: env["WEBHOOK_KEY_ID"]}},
		Queue:   sqsqueue.Webhooks{Client: sqs.NewFromConfig(w.aws), URL: env["WEBHOOK_QUEUE_URL"]},
		Now:     time.Now, NewID: uuid.NewString, Log: w.log,
	}}.Handlers(), nil
}

func (w wiring) burns() (map[string]apigw.HandlerFunc, error) {
	env := w.env[route.FunctionBurns]
	node := w.node(env)
	return burns.Endpoint{
		Tokens:  launchtable.Tokens{Client: w.db, Table: env["LAUNCH_TABLE"]},
		History: ledgertable.Burns{Client: w.db, Table: env["LEDGER_TABLE"]}, Chain: node,
	}.Handlers(), nil
}
