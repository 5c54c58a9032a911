// Package announcer handles the streams of the tables, which contain the writes in order for each
// item. It converts the records to events and passes the events to the consumers. If an event
// fails, the record and the later records of the shard are delivered again, for a day. An
// unreadable record is set aside for an operator.
package announcer

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
)

// Endpoint handles records. Every field is required.
type Endpoint struct {
	// Read returns the events of a record. The token of an event may have only the mint.
	Read     func(record json.RawMessage) ([]event.Event, error)
	Tokens   token.Reader
	Consumer event.Consumer
	// SetAside stores a record for an operator.
	SetAside func(ctx context.Context, body string) error
	Log      *slog.Logger
}

// Handle passes the events of the records to the consumers, in order, and returns the first record
// that failed.
func (e Endpoint) Handle(ctx context.Context, received struct {
	Records []json.RawMessage `json:"Records"`
},
) (events.DynamoDBEventResponse, error) {
	// The runtime reads null as "all failed", so the list must not be nil.
	response := events.DynamoDBEventResponse{BatchItemFailures: []events.DynamoDBBatchItemFailure{}}
	for _, record := range received.Records {
		if err := e.tell(ctx, record); err != nil {
			number := sequenceOf(record)
			e.Log.ErrorContext(ctx, "event not told: it comes again", "record", number, "cause", err.Error())
			response.BatchItemFailures = append(response.BatchItemFailures, events.DynamoDBBatchItemFailure{ItemIdentifier: number})
			return response, nil
		}
	}
	return response, nil
}

func sequenceOf(record json.RawMessage) string {
	var r struct {
		DynamoDB struct {
			SequenceNumber string `json:"SequenceNumber"`
		} `json:"dynamodb"`
	}
	_ = json.Unmarshal(record, &r)
	return r.DynamoDB.SequenceNumber
}

func (e Endpoint) tell(ctx context.Context, record json.RawMessage) error {
	happened, err := e.Read(record)
	if err != nil {
		e.Log.ErrorContext(ctx, "record of a stream set aside", "record", sequenceOf(record), "cause", err.Error())
		// The keys identify the item. Item images may be long and do not belong in logs.
		return e.SetAside(ctx, keysOf(record))
	}
	for _, one := range happened {
		if one.Token.ID == "" {
			if one.Token, err = e.Tokens.Token(ctx, one.Token.Mint); errors.Is(err, token.ErrNotFound) {
				return nil // the mint was not launched here
			}
			if err != nil {
				return apperr.Upstream("The store", err)
			}
		}
		if err := e.Consumer.Tell(ctx, one); err != nil {
			return err
		}
		e.Log.InfoContext(ctx, "event told", "kind", one.Kind, "event", one.ID(), "mint", one.Token.Mint.String())
	}
	return nil
}

// keysOf returns the event ID, the stream and the keys of a record.
func keysOf(record json.RawMessage) string {
	var r struct {
		EventID  string `json:"eventID"`
		Source   string `json:"eventSourceARN"`
		DynamoDB struct {
			Keys json.RawMessage `json:"Keys"`
		} `json:"dynamodb"`
	}
	_ = json.Unmarshal(record, &r)
	text, err := json.Marshal(r)
	if err != nil {
		return "a record that is not JSON"
	}
	return string(text)
}
