// Package announcer answers the streams of the tables: what was written there, in the order
// of the writes to each item. It makes events of it and tells their consumers. A record
// whose event could not be told stays, with those after it in its part of the stream, and
// comes again, for a day; one that cannot be read is set aside for a person.
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
	// Read gives the events of a record. Their tokens' records may have the mint alone.
	Read     func(record json.RawMessage) ([]event.Event, error)
	Tokens   token.Reader
	Consumer event.Consumer
	// SetAside keeps a record for a person to look at.
	SetAside func(ctx context.Context, body string) error
	Log      *slog.Logger
}

// Handle tells the events of the records, in their order, and names the first that stays.
func (e Endpoint) Handle(ctx context.Context, received struct {
	Records []json.RawMessage `json:"Records"`
},
) (events.DynamoDBEventResponse, error) {
	// The runtime reads null for "all failed", so the list is never nil.
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
		// Its keys say which item it was; its images may be long, and are not for logs.
		return e.SetAside(ctx, keysOf(record))
	}
	for _, one := range happened {
		if one.Token.ID == "" {
			if one.Token, err = e.Tokens.Token(ctx, one.Token.Mint); errors.Is(err, token.ErrNotFound) {
				return nil // of a mint that was not launched here
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

// keysOf is what a record says about which item it is.
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
