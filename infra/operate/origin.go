package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/platform/secret"
)

// learnedAfter is the time after which every function has read a new secret.
const learnedAfter = 3 * secret.Lifetime

// rotation brings CloudFront and the functions behind CloudFront to another origin secret, step by
// step: the functions learn the next secret, CloudFront sends the next secret, the functions forget
// the last secret. Between two steps, and after a partial step, the functions accept the secret
// that CloudFront sends.
type rotation struct {
	stacks  *cloudformation.Client
	secrets *secretsmanager.Client
	edges   *cloudfront.Client
	now     func() time.Time
	out     io.Writer
}

func newRotation(config aws.Config, out io.Writer) rotation {
	return rotation{
		cloudformation.NewFromConfig(config), secretsmanager.NewFromConfig(config), cloudfront.NewFromConfig(config), time.Now, out,
	}
}

var errNoFront = errors.New("no CloudFront distribution is in front of the API")

func (r rotation) step(ctx context.Context, stack string) error {
	described, err := r.stacks.DescribeStacks(ctx, &cloudformation.DescribeStacksInput{StackName: &stack})
	if err != nil {
		return fmt.Errorf("read the outputs of stack %s: %w", stack, err)
	}
	outputs := map[string]string{}
	for _, o := range described.Stacks[0].Outputs {
		outputs[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	if outputs["OriginSecretArn"] == "" || outputs["FrontId"] == "" {
		return fmt.Errorf("stack %s: %w", stack, errNoFront)
	}
	said, err := r.next(ctx, outputs["OriginSecretArn"], outputs["FrontId"])
	if err != nil {
		return fmt.Errorf("stack %s: %w", stack, err)
	}
	_, err = fmt.Fprintf(r.out, "%s: %s\n", stack, said)
	return err //nolint:wrapcheck // of the terminal
}

// next does the next step and returns instructions for the operator.
func (r rotation) next(ctx context.Context, arn, front string) (said string, err error) {
	stored, err := r.secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &arn})
	if err != nil {
		return "", fmt.Errorf("read the origin secret: %w", err)
	}
	own, err := apigw.ParseOriginSecret(aws.ToString(stored.SecretString))
	if err != nil {
		return "", fmt.Errorf("the origin secret: %w", err)
	}
	edge, err := r.edges.GetDistribution(ctx, &cloudfront.GetDistributionInput{Id: &front})
	if err != nil {
		return "", fmt.Errorf("read the distribution %s: %w", front, err)
	}
	sent := sentBy(edge)
	if sent == nil {
		return "", fmt.Errorf("the distribution %s sends no header %s", front, apigw.SecretHeader)
	}
	learned := aws.ToTime(stored.CreatedDate).Add(learnedAfter)
	write := func(s apigw.OriginSecret) error { return r.write(ctx, arn, aws.ToString(stored.VersionId), s) }
	switch {
	case *sent != own.Current: // an interrupted step
		return "CloudFront sends the current secret again. Run this once more in 15 minutes", r.send(ctx, front, edge, own.Current)
	case (own.Next != "" || own.Previous != "") && (r.now().Before(learned) || aws.ToString(edge.Distribution.Status) != "Deployed"):
		return "too early: run this again after " + learned.UTC().Format(time.RFC3339) + ", when CloudFront has what it was given", nil
	case own.Next != "":
		if err := write(apigw.OriginSecret{Current: own.Next, Previous: own.Current}); err != nil {
			return "", err
		}
		return "CloudFront begins to send the new secret. Run this again in 15 minutes", r.send(ctx, front, edge, own.Next)
	case own.Previous != "":
		return "done: the old secret is worth nothing any more", write(apigw.OriginSecret{Current: own.Current})
	default:
		return "the functions learn a new secret. Run this again in 15 minutes", write(apigw.OriginSecret{Current: own.Current, Next: rand.Text() + rand.Text()})
	}
}

// write replaces a version of the secret. If two operators replace the same version, the second
// write fails unless both writes are the same.
func (r rotation) write(ctx context.Context, arn, version string, s apigw.OriginSecret) error {
	content, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("write the origin secret as JSON: %w", err)
	}
	if _, err := r.secrets.PutSecretValue(ctx, &secretsmanager.PutSecretValueInput{
		SecretId: &arn, SecretString: aws.String(string(content)),
		ClientRequestToken: aws.String(uuid.NewSHA1(uuid.NameSpaceOID, []byte(version)).String()),
	}); err != nil {
		return fmt.Errorf("write the origin secret (is another operator at it?): %w", err)
	}
	return nil
}

// sentBy returns the header's value in the distribution's configuration.
func sentBy(edge *cloudfront.GetDistributionOutput) *string {
	for _, origin := range edge.Distribution.DistributionConfig.Origins.Items {
		if origin.CustomHeaders == nil {
			continue
		}
		for i, header := range origin.CustomHeaders.Items {
			if aws.ToString(header.HeaderName) == apigw.SecretHeader {
				return origin.CustomHeaders.Items[i].HeaderValue
			}
		}
	}
	return nil
}

func (r rotation) send(ctx context.Context, front string, edge *cloudfront.GetDistributionOutput, value string) error {
	*sentBy(edge) = value
	if _, err := r.edges.UpdateDistribution(ctx, &cloudfront.UpdateDistributionInput{
		Id: &front, IfMatch: edge.ETag, DistributionConfig: edge.Distribution.DistributionConfig,
	}); err != nil {
		return fmt.Errorf("tell the distribution %s what it sends: %w", front, err)
	}
	return nil
}
