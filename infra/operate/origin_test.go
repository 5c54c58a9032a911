package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// rotated is a distribution with an origin secret.
type rotated struct {
	*testing.T
	rotation

	arn, front string
}

func newRotated(t *testing.T) *rotated {
	t.Helper()
	r := &rotated{T: t, rotation: newRotation(localnet.AWS(t).Config(t.Context()), t.Output())}
	made, err := r.secrets.CreateSecret(t.Context(), &secretsmanager.CreateSecretInput{
		Name: aws.String(t.Name()), SecretString: aws.String(`{"current":"first"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	edge, err := r.edges.CreateDistribution(t.Context(), &cloudfront.CreateDistributionInput{DistributionConfig: &types.DistributionConfig{
		CallerReference: aws.String(t.Name()), Comment: aws.String("a front"), Enabled: aws.Bool(true),
		DefaultCacheBehavior: &types.DefaultCacheBehavior{TargetOriginId: aws.String("api"), ViewerProtocolPolicy: types.ViewerProtocolPolicyHttpsOnly},
		Origins: &types.Origins{Quantity: aws.Int32(1), Items: []types.Origin{{
			Id: aws.String("api"), DomainName: aws.String("api.example.com"),
			CustomHeaders: &types.CustomHeaders{Quantity: aws.Int32(1), Items: []types.OriginCustomHeader{
				{HeaderName: aws.String(apigw.SecretHeader), HeaderValue: aws.String("first")},
			}},
		}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	r.arn, r.front = *made.ARN, *edge.Distribution.Id
	return r
}

// state returns the secret that CloudFront sends and those that functions accept.
func (r *rotated) state() (sent string, taken apigw.OriginSecret) {
	r.Helper()
	edge, err := r.edges.GetDistribution(r.Context(), &cloudfront.GetDistributionInput{Id: &r.front})
	if err != nil {
		r.Fatal(err)
	}
	stored, err := r.secrets.GetSecretValue(r.Context(), &secretsmanager.GetSecretValueInput{SecretId: &r.arn})
	if err != nil {
		r.Fatal(err)
	}
	if err := json.Unmarshal([]byte(*stored.SecretString), &taken); err != nil {
		r.Fatal(err)
	}
	return *sentBy(edge), taken
}

func (r *rotated) step(want string) {
	r.Helper()
	said, err := r.next(r.Context(), r.arn, r.front)
	if err != nil || !strings.Contains(said, want) {
		r.Errorf("%q, %v, want %q", said, err, want)
	}
}

func (r *rotated) later() {
	r.now = func() time.Time { return time.Now().Add(learnedAfter + time.Minute) }
}

// TestRotationRejectsNoCaller tests that functions accept the secrets of CloudFront from before and after each
// step of a rotation, whenever the functions read the secret.
func TestRotationRejectsNoCaller(t *testing.T) {
	r := newRotated(t)
	var were []apigw.OriginSecret
	check := func() {
		t.Helper()
		sent, taken := r.state()
		were = append(were, taken)
		for _, known := range were[max(0, len(were)-2):] {
			if sent != known.Current && sent != known.Next && sent != known.Previous {
				t.Errorf("CloudFront sends %q, and functions take %+v", sent, known)
			}
		}
	}
	check()
	r.step("learn a new secret")
	check()
	r.step("too early")
	check()
	r.later()
	r.step("begins to send the new secret")
	check()
	sent, taken := r.state()
	if sent == "first" || taken.Current != sent || taken.Previous != "first" || len(sent) < 48 {
		t.Errorf("CloudFront sends %q of %+v", sent, taken)
	}
	r.now = time.Now
	r.step("too early")
	r.later()
	r.step("done")
	check()
	if _, taken = r.state(); taken != (apigw.OriginSecret{Current: sent}) {
		t.Errorf("%+v, want %q alone", taken, sent)
	}
}

// A step that broke off after the secret was written is finished first.
func TestBrokenRotationIsMended(t *testing.T) {
	r := newRotated(t)
	stored, err := r.secrets.GetSecretValue(t.Context(), &secretsmanager.GetSecretValueInput{SecretId: &r.arn})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.write(t.Context(), r.arn, *stored.VersionId, apigw.OriginSecret{Current: "second", Previous: "first"}); err != nil {
		t.Fatal(err)
	}
	r.step("sends the current secret again")
	if sent, _ := r.state(); sent != "second" {
		t.Errorf("CloudFront sends %q", sent)
	}
}
