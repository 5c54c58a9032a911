// Package recursion_test shows that the local AWS drops the invocations that Lambda would
// take for an infinite loop, and that a function which may loop continues.
package recursion_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// sendTo names the variable with the queue to which the functions under test send. It makes
// this test binary such a function.
const sendTo = "RECURSION_TEST_SEND_TO"

// chain is the number of messages of one chain: distributor and payer are invoked 20 times
// each, as in runs of many chunks (docs/performance.md, "Messages of a run").
const chain = 40

// invocations is the number of invocations of a function in one chain that Lambda runs. It
// drops the next (Lambda Developer Guide, "Use Lambda recursive loop detection to prevent
// infinite loops": approximately 16).
const invocations = 16

func TestMain(m *testing.M) {
	if os.Getenv(sendTo) == "" {
		os.Exit(m.Run())
	}
	lambda.Start(advance)
}

// advance sends each message on to the next function's queue with a higher version, by the
// code that distributor and payer send with, and to the last queue at the end of the chain.
func advance(ctx context.Context, event events.SQSEvent) error {
	config, err := awsconfig.Config()
	if err != nil {
		return err
	}
	for _, record := range event.Records {
		run, err := sqsqueue.ReadRun(record.Body)
		if err != nil {
			return err
		}
		queue := os.Getenv(sendTo)
		if run.Version == chain {
			queue = os.Getenv("LAST_QUEUE")
		}
		run.Version++
		if err := (sqsqueue.Runs{Client: sqs.NewFromConfig(config), URL: queue}).SendRuns(ctx, []dispatch.Delayed{{Run: run}}); err != nil {
			return err
		}
	}
	return nil
}

// Without the property, the run's message ends as a dead letter when one of the functions
// would be invoked for the 17th time. With it, the chain comes to its end.
func TestLoopNeedsAllow(t *testing.T) {
	config := localnet.AWS(t).Config(t.Context())
	code := upload(t, config)
	for _, test := range []struct {
		name    string
		allowed map[string]any
		arrives string // the queue that receives the chain's last message
		version int64  // of that message
		dropped bool
	}{
		{"default", nil, "Dead", 2*invocations + 1, true},
		{"allowed", map[string]any{"RecursiveLoop": "Allow"}, "Last", chain + 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := deploy(t, config, "loop-"+test.name, code, test.allowed)
			client := sqs.NewFromConfig(config)
			first := dispatch.Run{Mint: solana.PublicKey{1}, Slot: time.Unix(1_800_000_000, 0), Version: 1}
			if err := (sqsqueue.Runs{Client: client, URL: out["Distributor"]}).SendRuns(t.Context(), []dispatch.Delayed{{Run: first}}); err != nil {
				t.Fatal(err)
			}
			queue, run, trace := receive(t, client, out)
			if queue != test.arrives || run.Version != test.version {
				t.Errorf("queue %s receives version %d, want %s and %d", queue, run.Version, test.arrives, test.version)
			}
			if !strings.Contains(trace, ";Lineage=") {
				t.Errorf("the message's AWSTraceHeader is %q, want a Lineage", trace)
			}
			if got := dropped(t, config, out["DistributorName"]); got > 0 != test.dropped {
				t.Errorf("RecursiveInvocationsDropped of the distributor is %v, want above 0: %v", got, test.dropped)
			}
		})
	}
}

// upload puts this test binary into a bucket as a function's code.
func upload(t *testing.T, config aws.Config) map[string]any {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	header := &zip.FileHeader{Name: "bootstrap", Method: zip.Store}
	header.SetMode(0o755)
	file, err := archive.CreateHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(binary); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	const bucket, key = "recursion", "bootstrap.zip"
	client := s3.NewFromConfig(config, func(o *s3.Options) { o.UsePathStyle = true })
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(bucket)}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.PutObject(t.Context(), &s3.PutObjectInput{
		Bucket: aws.String(bucket), Key: aws.String(key), Body: bytes.NewReader(packed.Bytes()),
	}); err != nil {
		t.Fatal(err)
	}
	return map[string]any{"S3Bucket": bucket, "S3Key": key}
}

// deploy creates two functions that send to each other's queue, and returns the outputs: the
// addresses of the queues and the distributor's name. The functions have the given
// properties in addition.
func deploy(t *testing.T, config aws.Config, name string, code, properties map[string]any) map[string]string {
	t.Helper()
	ref := func(id string) any { return map[string]any{"Ref": id} }
	arn := func(id string) any { return map[string]any{"Fn::GetAtt": []string{id, "Arn"}} }
	resources, outputs := map[string]any{}, map[string]any{}
	add := func(id, kind string, properties map[string]any) {
		resources[id] = map[string]any{"Type": kind, "Properties": properties}
	}
	for _, id := range []string{"Dead", "Last"} {
		add(id, "AWS::SQS::Queue", map[string]any{})
		outputs[id] = map[string]any{"Value": ref(id)}
	}
	for id, next := range map[string]string{"Distributor": "Payer", "Payer": "Distributor"} {
		add(id, "AWS::SQS::Queue", map[string]any{
			"VisibilityTimeout": 1, "RedrivePolicy": map[string]any{"deadLetterTargetArn": arn("Dead"), "maxReceiveCount": 2},
		})
		function := map[string]any{
			"Code": code, "Handler": "bootstrap", "Runtime": "provided.al2023", "Timeout": 30,
			"Role":        "arn:aws:iam::000000000000:role/any",
			"Environment": map[string]any{"Variables": map[string]any{sendTo: ref(next), "LAST_QUEUE": ref("Last")}},
		}
		maps.Copy(function, properties)
		add(id+"Function", "AWS::Lambda::Function", function)
		add(id+"Mapping", "AWS::Lambda::EventSourceMapping", map[string]any{
			"EventSourceArn": arn(id), "FunctionName": ref(id + "Function"), "BatchSize": 1,
		})
		outputs[id] = map[string]any{"Value": ref(id)}
		outputs[id+"Name"] = map[string]any{"Value": ref(id + "Function")}
	}
	template, err := json.Marshal(map[string]any{"Resources": resources, "Outputs": outputs})
	if err != nil {
		t.Fatal(err)
	}
	client := cloudformation.NewFromConfig(config)
	if _, err := client.CreateStack(t.Context(), &cloudformation.CreateStackInput{
		StackName: &name, TemplateBody: aws.String(string(template)),
	}); err != nil {
		t.Fatal(err)
	}
	described := &cloudformation.DescribeStacksInput{StackName: &name}
	if err := cloudformation.NewStackCreateCompleteWaiter(client, func(o *cloudformation.StackCreateCompleteWaiterOptions) {
		o.MinDelay = 100 * time.Millisecond
	}).Wait(t.Context(), described, time.Minute); err != nil {
		t.Fatal(err)
	}
	stacks, err := client.DescribeStacks(t.Context(), described)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, o := range stacks.Stacks[0].Outputs {
		out[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	return out
}

// receive waits for the message that comes out of a chain, in one queue or the other. It
// returns the queue's name, the message's run, and its AWSTraceHeader.
func receive(t *testing.T, client *sqs.Client, queues map[string]string) (string, dispatch.Run, string) {
	t.Helper()
	for {
		for _, name := range []string{"Dead", "Last"} {
			got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
				QueueUrl: aws.String(queues[name]), WaitTimeSeconds: 1,
				MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAWSTraceHeader},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Messages) == 0 {
				continue
			}
			run, err := sqsqueue.ReadRun(aws.ToString(got.Messages[0].Body))
			if err != nil {
				t.Fatal(err)
			}
			return name, run, got.Messages[0].Attributes["AWSTraceHeader"]
		}
	}
}

// dropped is the sum of the function's RecursiveInvocationsDropped.
func dropped(t *testing.T, config aws.Config, function string) float64 {
	t.Helper()
	now := time.Now()
	got, err := cloudwatch.NewFromConfig(config).GetMetricStatistics(t.Context(), &cloudwatch.GetMetricStatisticsInput{
		Namespace: aws.String("AWS/Lambda"), MetricName: aws.String("RecursiveInvocationsDropped"),
		Dimensions: []cwtypes.Dimension{{Name: aws.String("FunctionName"), Value: &function}},
		StartTime:  aws.Time(now.Add(-time.Hour)), EndTime: aws.Time(now.Add(time.Hour)), Period: aws.Int32(3600),
		Statistics: []cwtypes.Statistic{cwtypes.StatisticSum},
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.
	for _, point := range got.Datapoints {
		sum += aws.ToFloat64(point.Sum)
	}
	return sum
}
