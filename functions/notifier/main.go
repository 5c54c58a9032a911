// Notifier notifies Telegram groups of the results of their tokens' distributions, and reads the
// commands that the groups' administrators send to the bot.
package main

import (
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"tokenlaunch.example/service/functions/internal/start"
	"tokenlaunch.example/service/pkg/api/endpoint/notifier"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable/consents"
	"tokenlaunch.example/service/pkg/aws/secretsmanager"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/aws/windowtable/notices"
	"tokenlaunch.example/service/pkg/distribution/consent"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/telemetry"
	"tokenlaunch.example/service/pkg/provider/telegram"
)

type settings struct {
	telemetry.Settings
	LaunchTable string `env:"LAUNCH_TABLE,required,notEmpty"`
	WindowTable string `env:"WINDOW_TABLE,required,notEmpty"`
	Queue       string `env:"NOTICE_QUEUE_URL,required,notEmpty"`
	DeadQueue   string `env:"NOTICE_DEAD_LETTER_QUEUE_URL,required,notEmpty"`
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
	var sender notice.Sender = notice.NoBot{}
	var listener notifier.Listener
	if s.BotSecret != "" {
		token := secretsmanager.New(aws, logger).Source(s.BotSecret, telegram.CheckToken)
		bot := start.Must(telegram.New(s.TelegramURL, token))
		bot.Moved = groups.Move
		sender, listener = bot, &consent.Listener{Telegram: bot, Store: groups, Log: logger}
	}
	endpoint := notifier.Endpoint{
		Listener: listener,
		Notifier: notice.Notifier{
			Store: notices.Claims{Client: db, Table: s.WindowTable},
			Links: consent.Service{Store: groups, Now: time.Now}, Sender: sender, Now: time.Now, NewID: uuid.NewString, Log: logger,
		},
		Queue: sqsqueue.NoticeBacklog{Backlog: sqsqueue.Backlog{Client: sqs.NewFromConfig(aws), URL: s.Queue}, DeadURL: s.DeadQueue},
		Read:  sqsqueue.ReadNotice, Pause: notice.Pause, Log: logger,
	}
	lambda.Start(endpoint.Handle)
}
