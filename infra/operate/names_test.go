package main

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront/types"

	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// A recovery hands names over: the old distribution lets go of those that are named and of no
// other, and continues with CloudFront's own certificate when none is left.
func TestNamesAreFreedForAnotherStack(t *testing.T) {
	n := newNaming(localnet.AWS(t).Config(t.Context()), t.Output())
	made := map[string]string{}
	for front, names := range map[string][]string{"api": {"api.example.com", "www.example.com"}, "pictures": {"img.example.com"}} {
		edge, err := n.edges.CreateDistribution(t.Context(), &cloudfront.CreateDistributionInput{DistributionConfig: &types.DistributionConfig{
			CallerReference: aws.String(t.Name() + front), Comment: aws.String(front), Enabled: aws.Bool(true),
			Aliases:              &types.Aliases{Quantity: aws.Int32(int32(len(names))), Items: names},
			DefaultCacheBehavior: &types.DefaultCacheBehavior{TargetOriginId: aws.String("o"), ViewerProtocolPolicy: types.ViewerProtocolPolicyHttpsOnly},
			Origins:              &types.Origins{Quantity: aws.Int32(1), Items: []types.Origin{{Id: aws.String("o"), DomainName: aws.String("o.example.com")}}},
			ViewerCertificate: &types.ViewerCertificate{
				ACMCertificateArn: aws.String("arn:aws:acm:us-east-1:000000000000:certificate/a"), SSLSupportMethod: types.SSLSupportMethodSniOnly,
			},
		}})
		if err != nil {
			t.Fatal(err)
		}
		made[front] = *edge.Distribution.Id
	}
	check := func(front string, names []string, own bool) {
		t.Helper()
		read, err := n.edges.GetDistributionConfig(t.Context(), &cloudfront.GetDistributionConfigInput{Id: aws.String(made[front])})
		if err != nil {
			t.Fatal(err)
		}
		if have := aliases(read.DistributionConfig.Aliases); !slices.Equal(have, names) {
			t.Errorf("%s has the names %v, want %v", front, have, names)
		}
		if certificate := read.DistributionConfig.ViewerCertificate; (certificate.ACMCertificateArn == nil) != own {
			t.Errorf("%s has the certificate %+v", front, certificate)
		}
	}
	for range 2 { // may be repeated
		if err := n.free(t.Context(), []string{"api.example.com", "img.example.com", "none.example.com"}); err != nil {
			t.Fatal(err)
		}
		check("api", []string{"www.example.com"}, false)
		check("pictures", nil, true)
	}
}
