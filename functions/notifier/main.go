// Notifier notifies Telegram groups of the results of their tokens' distributions, and holders of their
// payments, and reads the commands that the groups' administrators and holders send to the bot.
package main

import (
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/secrets"
	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/notifier"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable/notices"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/digest"
	"tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/telegram"
)

type settings struct {
	telemetry.Settings
	LaunchTable   string `env:"LAUNCH_TABLE,required,notEmpty"`
	WindowTable   string `env:"WINDOW_TABLE,required,notEmpty"`
	SettingsTable string `env:"SETTINGS_TABLE,required,notEmpty"`
	LedgerTable   string `env:"LEDGER_TABLE,required,notEmpty"`
	AssetBucket   string `env:"ASSET_BUCKET,required,notEmpty"`
	Queue         string `env:"NOTICE_QUEUE_URL,required,notEmpty"`
	DeadQueue     string `env:"NOTICE_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
	Node          secrets.Node
	PublicURL     string `env:"PUBLIC_URL,required,notEmpty"`
	// FeeFloor is as in the distributor, for what a claim costs.
	FeeFloor    uint64 `env:"PRIORITY_FEE_MICROLAMPORTS" envDefault:"10000"`
	TelegramURL string `env:"TELEGRAM_API_URL" envDefault:"https://api.telegram.org"`
	// BotSecret is the name of the secret with the bot's token. If BotSecret is empty, notices are
	// dropped.
	BotSecret string `env:"TELEGRAM_SECRET"`
}

func main() {
	s, aws := start.Function[settings]()
	logger := s.Logger()
	db := dynamo.New(aws)
	groups := consents.Store{Client: db, Table: s.LaunchTable}
	links := consent.Service{Store: groups, Now: time.Now}
	messages := sqs.NewFromConfig(aws)
	var sender notice.Sender = notice.NoBot{}
	var listener notifier.Listener
	var digests notifier.Digests
	if s.BotSecret != "" {
		store := secretsmanager.New(aws, logger)
		bot := start.Must(telegram.New(s.TelegramURL, store.Source(s.BotSecret, telegram.CheckToken)))
		bot.Moved = groups.Move
		sender, listener = bot, &consent.Listener{Telegram: bot, Store: groups, Log: logger}
		tokens, runs := launchtable.Tokens{Client: db, Table: s.LaunchTable}, ledgertable.Runs{Client: db, Table: s.LedgerTable, Now: time.Now}
		ledger := holder.Ledger{
			Tokens: tokens, Heads: runs, Chain: start.Must(s.Node.Client(store)),
			Proofs: books.Source{Objects: s3store.Bucket{Client: s3.NewFromConfig(aws), Name: s.AssetBucket}},
		}
		digests = digest.Digests{
			Store: groups, Links: links, Payments: holder.Payments{Ledger: ledger, History: runs},
			Claims:  holder.Claims{Ledger: ledger, Costs: run.CostsAt(s.FeeFloor, 0)},
			Changes: launchtable.Versions{Tokens: tokens, Settings: s.SettingsTable},
			Queue:   sqsqueue.Notices{Client: messages, URL: s.Queue}, PublicURL: strings.TrimSuffix(s.PublicURL, "/"), Now: time.Now, Log: logger,
		}
	}
	endpoint := notifier.Endpoint{
		Listener: listener, Digests: digests,
		Notifier: notice.Notifier{
			Store: notices.Claims{Client: db, Table: s.WindowTable},
			Links: links, Sender: sender, Now: time.Now, NewID: uuid.NewString, Log: logger,
		},
		Queue: sqsqueue.NoticeBacklog{Backlog: sqsqueue.Backlog{Client: messages, URL: s.Queue}, DeadURL: s.DeadQueue},
		Read:  sqsqueue.ReadNotice, Pause: notice.Pause, Log: logger,
	}
	lambda.Start(endpoint.Handle)
}
