package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"tokenlaunch.example/service/infra/cloudwatch"
	"tokenlaunch.example/service/infra/stages"
	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/platform/telemetry"
)

// limit puts a value at the alarm's limit, and one beyond it.
func limit(why string, atLimit, beyond float64) condition {
	put := func(more float64) func(w *watch) {
		return func(w *watch) {
			w.put = []cloudwatch.Datum{{Metric: w.metrics()[0], Value: w.alarm.Threshold + more}}
		}
	}
	return condition{almost: put(atLimit), over: put(beyond), put: why}
}

// failing takes a function's settings away, so that it cannot start.
func failing(name string) condition {
	return condition{
		almost: func(w *watch) {
			unset(w, name)
			for range int(w.alarm.Threshold) {
				invoke(w, name)
			}
		},
		over: func(w *watch) { invoke(w, name) },
		well: func(w *watch) { invoke(w, name) },
	}
}

// unset takes a function's environment away until the condition ends.
func unset(w *watch, name string) {
	w.t.Helper()
	client, function, t := lambdas(w.stack), w.stack.Outputs[name+"FunctionName"], w.t
	was, err := client.GetFunctionConfiguration(t.Context(), &lambda.GetFunctionConfigurationInput{FunctionName: &function})
	if err != nil {
		t.Fatal(err)
	}
	set := func(ctx context.Context, variables map[string]string) {
		t.Helper()
		if _, err := client.UpdateFunctionConfiguration(ctx, &lambda.UpdateFunctionConfigurationInput{
			FunctionName: &function, Environment: &types.Environment{Variables: variables},
		}); err != nil {
			t.Error(err)
		}
	}
	w.later(func(ctx context.Context) { set(ctx, was.Environment.Variables) })
	set(t.Context(), map[string]string{})
}

// invoke calls a function with what is no event of any, so that it does nothing, and
// does not mind how that ends.
func invoke(w *watch, name string) {
	w.t.Helper()
	_, err := lambdas(w.stack).Invoke(w.t.Context(), &lambda.InvokeInput{
		FunctionName: aws.String(w.stack.Outputs[name+"FunctionName"]), Payload: []byte(`"no event"`),
	})
	var refused *types.TooManyRequestsException
	switch {
	case errors.As(err, &refused):
		w.refused++
	case err != nil:
		w.t.Fatal(err)
	}
}

// throttled sets a function's concurrency to 0, as the operations guide does.
func throttled(name string) condition {
	return condition{
		almost: func(w *watch) {
			client, function, t := lambdas(w.stack), w.stack.Outputs[name+"FunctionName"], w.t
			was, err := client.GetFunctionConcurrency(t.Context(), &lambda.GetFunctionConcurrencyInput{FunctionName: &function})
			if err != nil {
				t.Fatal(err)
			}
			w.later(func(ctx context.Context) {
				if was.ReservedConcurrentExecutions == nil {
					_, err = client.DeleteFunctionConcurrency(ctx, &lambda.DeleteFunctionConcurrencyInput{FunctionName: &function})
				} else {
					_, err = client.PutFunctionConcurrency(ctx, &lambda.PutFunctionConcurrencyInput{
						FunctionName: &function, ReservedConcurrentExecutions: was.ReservedConcurrentExecutions,
					})
				}
				if err != nil {
					t.Error(err)
				}
			})
			if _, err := client.PutFunctionConcurrency(t.Context(), &lambda.PutFunctionConcurrencyInput{
				FunctionName: &function, ReservedConcurrentExecutions: aws.Int32(0),
			}); err != nil {
				t.Fatal(err)
			}
			for range int(w.alarm.Threshold) {
				invoke(w, name)
			}
		},
		over: func(w *watch) { invoke(w, name) },
		well: func(w *watch) { invoke(w, name) },
	}
}

// slow reads a real call first.
func slow(name string) condition {
	return condition{
		almost: func(w *watch) { invoke(w, name) },
		over: func(w *watch) {
			w.put = []cloudwatch.Datum{{Metric: w.metrics()[0], Value: w.alarm.Threshold + 1}}
		},
		put: "a call that takes nearly all of its time would take a minute",
	}
}

// silent lets something happen, and then nothing.
func silent(happen func(w *watch)) condition {
	return condition{almost: happen, over: func(w *watch) { w.idle = true }}
}

// stuck stops the queue's function and lets a message wait: the clock keeps running.
func stuck(name string) condition {
	return condition{
		almost: func(w *watch) {
			hold(w, name)
			send(w, name)
			w.clock = sent(w, name).Add(time.Duration(w.alarm.Threshold) * time.Second)
		},
		over: func(w *watch) { w.clock = w.clock.Add(time.Second) },
		well: func(*watch) {}, // the queue is empty
	}
}

// poison is a message that cannot be done: it is received, and comes back, until SQS moves it
// to the dead letters.
func poison(name string) condition {
	return condition{
		almost: func(w *watch) {
			hold(w, name)
			send(w, name)
		},
		over: func(w *watch) {
			client, queue := sqs.NewFromConfig(w.stack.AWS.Config()), w.stack.Outputs[name+"QueueUrl"]
			dead := queueName(w.stack.Outputs[name+"DeadLetterQueueUrl"])
			for range 1000 {
				got, err := client.ReceiveMessage(w.t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &queue})
				if err != nil {
					w.t.Fatal(err)
				}
				for _, m := range got.Messages {
					if _, err := client.ChangeMessageVisibility(w.t.Context(), &sqs.ChangeMessageVisibilityInput{
						QueueUrl: &queue, ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: 0,
					}); err != nil {
						w.t.Fatal(err)
					}
				}
				if len(waiting(w.t, w.stack, dead)) > 0 {
					return
				}
			}
			w.t.Error("the message was never given up")
		},
		well: func(*watch) {}, // the queues are empty
	}
}

func send(w *watch, name string) {
	w.t.Helper()
	queue := w.stack.Outputs[name+"QueueUrl"]
	if _, err := sqs.NewFromConfig(w.stack.AWS.Config()).SendMessage(w.t.Context(), &sqs.SendMessageInput{
		QueueUrl: &queue, MessageBody: aws.String("poison"),
	}); err != nil {
		w.t.Fatal(err)
	}
}

// sent is when the oldest message of a queue was sent, in whole seconds.
func sent(w *watch, name string) time.Time {
	w.t.Helper()
	messages := waiting(w.t, w.stack, queueName(w.stack.Outputs[name+"QueueUrl"]))
	if len(messages) != 1 {
		w.t.Fatalf("%d messages in the queue", len(messages))
	}
	return time.Unix(messages[0].SentTimestamp, 0)
}

func queueName(address string) string { return address[strings.LastIndex(address, "/")+1:] }

// hold empties the queue and its dead letters, and keeps the queue's function from
// reading it until the condition ends, which empties them again.
func hold(w *watch, name string) {
	w.t.Helper()
	client, t := lambdas(w.stack), w.t
	messages := sqs.NewFromConfig(w.stack.AWS.Config())
	queue, dead := w.stack.Outputs[name+"QueueUrl"], w.stack.Outputs[name+"DeadLetterQueueUrl"]
	attributes, err := messages.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: &queue, AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameQueueArn},
	})
	if err != nil {
		t.Fatal(err)
	}
	sources, err := client.ListEventSourceMappings(t.Context(), &lambda.ListEventSourceMappingsInput{
		EventSourceArn: aws.String(attributes.Attributes["QueueArn"]),
	})
	if err != nil || len(sources.EventSourceMappings) != 1 {
		t.Fatalf("%v, %v: want one function that reads %s", sources, err, name)
	}
	enable := func(ctx context.Context, enabled bool) {
		t.Helper()
		if _, err := client.UpdateEventSourceMapping(ctx, &lambda.UpdateEventSourceMappingInput{
			UUID: sources.EventSourceMappings[0].UUID, Enabled: &enabled,
		}); err != nil {
			t.Fatal(err)
		}
	}
	empty := func(ctx context.Context) {
		for _, address := range []string{queue, dead} {
			if _, err := messages.PurgeQueue(ctx, &sqs.PurgeQueueInput{QueueUrl: &address}); err != nil {
				t.Error(err)
			}
		}
	}
	w.later(func(ctx context.Context) {
		empty(ctx)
		enable(ctx, true)
	})
	enable(t.Context(), false)
	empty(t.Context()) // of what other tests have left
}

// failingRequests lets the function of the documents fail to start, so that the gateway
// answers itself.
func failingRequests() condition {
	return condition{
		almost: func(w *watch) {
			unset(w, "Docs")
			for range 4 {
				ask(w)
			}
		},
		over: func(w *watch) { ask(w) },
		well: func(w *watch) {
			for range 5 {
				ask(w)
			}
		},
	}
}

// slowRequests reads real answers first.
func slowRequests() condition {
	return condition{
		almost: func(w *watch) {
			for range 20 {
				ask(w)
			}
		},
		over: func(w *watch) {
			for i := range w.answers {
				w.answers[i].took = time.Duration(w.alarm.Threshold+1) * time.Millisecond
			}
		},
		put: "real requests, with another time: answers that take 20 seconds would take 20 seconds",
	}
}

// ask calls the API.
func ask(w *watch) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.stack.APIURL+"/docs", http.NoBody)
	if err != nil {
		w.t.Fatal(err)
	}
	began := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = response.Body.Close()
	w.answers = append(w.answers, answered{response.StatusCode, time.Since(began)})
}

// alarmingLine writes the line that triggers the alarm into the function's log.
func alarmingLine(name string) condition {
	line := func(w *watch, message string) {
		w.t.Helper()
		var text bytes.Buffer
		telemetry.New(&text, slog.LevelInfo, namespace(w)).ErrorContext(w.t.Context(), message, "mint", "some", "run", "some")
		writeLog(w.t, w.stack, logGroup(w.t, w.stack, w.stack.Outputs[name+"FunctionName"]), text.String())
	}
	return condition{
		almost: func(w *watch) { line(w, "no ALARM: books balance") },
		over:   func(w *watch) { line(w, "ALARM: books do not balance; the mint is frozen") },
		put:    "the line of the Engine: its own tests bring it to that",
		unseen: true,
	}
}

// namespace of the service's metrics: the name of the service's stack.
func namespace(w *watch) string {
	name, _, _ := strings.Cut(w.alarm.AlarmName, "-"+deployedName.FindStringSubmatch(w.alarm.AlarmName)[1])
	return strings.TrimSuffix(name, stages.AlarmsSuffix)
}

// emits writes values of metrics as a function does, in place of those before.
func emits(name string, values ...metric.Value) func(w *watch) {
	return func(w *watch) {
		w.t.Helper()
		w.reset()
		var text bytes.Buffer
		metric.Emit(w.t.Context(), telemetry.New(&text, slog.LevelInfo, namespace(w)), values, metric.By(metric.Node, "0"))
		writeLog(w.t, w.stack, logGroup(w.t, w.stack, w.stack.Outputs[name+"FunctionName"]), text.String())
	}
}
