package stack

import (
	_ "embed"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsroute53targets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/route"
)

//go:embed viewer.js
var viewerAddress string

// secretLength is the length of an origin secret, in letters and digits.
const secretLength = 48

// keptErrors are the statuses whose responses CloudFront would cache for 10 seconds by default.
var keptErrors = []float64{400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504}

// newOriginSecret creates the secret by which functions recognize requests through CloudFront. It
// returns nil without a front. Secrets Manager generates the secret, and `operate rotate-origin`
// rotates the secret.
func (s service) newOriginSecret() awssecretsmanager.ISecret {
	if !s.settings.Front {
		return nil
	}
	made := awssecretsmanager.NewSecret(s.stack, jsii.String("OriginSecret"), &awssecretsmanager.SecretProps{
		Description: jsii.String("By this the functions know CloudFront"),
		GenerateSecretString: &awssecretsmanager.SecretStringGenerator{
			SecretStringTemplate: jsii.String("{}"), GenerateStringKey: jsii.String(apigw.OriginSecretKey),
			PasswordLength: jsii.Number(secretLength), ExcludePunctuation: jsii.Bool(true),
		},
	})
	s.output("OriginSecretArn", made.SecretArn())
	return made
}

// behindFront lets a function check whether a request came through CloudFront.
func (s service) behindFront(f function) function {
	if s.originSecret != nil {
		f.env["ORIGIN_SECRET"] = s.originSecret.SecretArn()
		f.may = append(f.may, allow([]string{"secretsmanager:GetSecretValue"}, s.originSecret.SecretArn()))
	}
	return f
}

// addSharedPaths adds the behaviors that cache, one for each path whose response is the same for
// every caller. CloudFront never caches POST, and a path pattern may match one.
func (s service) addSharedPaths(to awscloudfront.Distribution, behavior func(awscloudfront.ICachePolicy) *awscloudfront.BehaviorOptions) {
	policies := map[string]awscloudfront.ICachePolicy{}
	for _, r := range route.AtEdge() {
		query, _ := r.Shared()
		key := strings.Join(query, "-")
		if policies[key] == nil {
			policies[key] = s.newSharedCache(key, query)
		}
		options := behavior(policies[key])
		to.AddBehavior(jsii.String(r.EdgePath()), options.Origin, &awscloudfront.AddBehaviorOptions{
			AllowedMethods: options.AllowedMethods, CachePolicy: options.CachePolicy, OriginRequestPolicy: options.OriginRequestPolicy,
			ViewerProtocolPolicy: options.ViewerProtocolPolicy, FunctionAssociations: options.FunctionAssociations,
		})
	}
}

// newSharedCache caches a response for the time in its headers. It does not cache no-store
// responses or responses without a time (CloudFront Developer Guide, "Manage how long content stays
// in the cache": minimum TTL 0).
//
// The key has the path, the query parameters that the response depends on, and:
//   - Accept, which the viewer function reduces to three values.
//   - Authorization. CloudFront forwards this header only as part of the key, so that no response to
//     one caller's credentials reaches another caller (AWS re:Post, cloudfront-authorization-header).
//   - Origin, because the gateway adds the CORS headers only to requests with this header.
//   - Accept-Encoding, which CloudFront normalizes.
func (s service) newSharedCache(name string, query []string) awscloudfront.ICachePolicy {
	parameters := awscloudfront.CacheQueryStringBehavior_None()
	if len(query) > 0 {
		parameters = awscloudfront.CacheQueryStringBehavior_AllowList(*jsii.Strings(query...)...)
	}
	return awscloudfront.NewCachePolicy(s.stack, jsii.String("SharedCache"+name), &awscloudfront.CachePolicyProps{
		Comment:                    jsii.String("Responses that are the same for every caller"),
		MinTtl:                     awscdk.Duration_Seconds(jsii.Number(0)),
		DefaultTtl:                 awscdk.Duration_Seconds(jsii.Number(0)),
		MaxTtl:                     awscdk.Duration_Days(jsii.Number(imageCacheDays)),
		QueryStringBehavior:        parameters,
		HeaderBehavior:             awscloudfront.CacheHeaderBehavior_AllowList(*jsii.Strings("Accept", "Authorization", "Origin")...),
		EnableAcceptEncodingGzip:   jsii.Bool(true),
		EnableAcceptEncodingBrotli: jsii.Bool(true),
	})
}

// newFront puts CloudFront, with the web ACL of the edge's stack if present, in front of the API.
// It returns CloudFront's domain name. The ACL is a parameter, because CloudFormation cannot refer
// to another Region.
//
// The front only accepts IPv4, like the gateway. The ACL counts single IPv6 addresses, and a caller
// has 2^64 addresses.
func (s service) newFront(api awsapigatewayv2.HttpApi) *string {
	viewer := awscloudfront.NewFunction(s.stack, jsii.String("ViewerAddress"), &awscloudfront.FunctionProps{
		Code:    awscloudfront.FunctionCode_FromInline(jsii.String(viewerAddress)),
		Runtime: awscloudfront.FunctionRuntime_JS_2_0(),
		Comment: jsii.String("Says to the API who asks"),
	})
	origin := awscloudfrontorigins.NewHttpOrigin(
		jsii.String(*api.ApiId()+".execute-api."+*awscdk.Aws_REGION()+"."+*awscdk.Aws_URL_SUFFIX()),
		&awscloudfrontorigins.HttpOriginProps{
			ProtocolPolicy:     awscloudfront.OriginProtocolPolicy_HTTPS_ONLY,
			OriginSslProtocols: &[]awscloudfront.OriginSslPolicy{awscloudfront.OriginSslPolicy_TLS_V1_2},
			// CloudFormation reads the secret during the deployment. The template has only the
			// secret's name.
			CustomHeaders: &map[string]*string{
				apigw.SecretHeader: s.originSecret.SecretValueFromJson(jsii.String(apigw.OriginSecretKey)).UnsafeUnwrap(),
			},
		})
	behavior := func(cache awscloudfront.ICachePolicy) *awscloudfront.BehaviorOptions {
		return &awscloudfront.BehaviorOptions{
			Origin: origin, AllowedMethods: awscloudfront.AllowedMethods_ALLOW_ALL(), CachePolicy: cache,
			OriginRequestPolicy:  awscloudfront.OriginRequestPolicy_ALL_VIEWER_EXCEPT_HOST_HEADER(),
			ViewerProtocolPolicy: awscloudfront.ViewerProtocolPolicy_HTTPS_ONLY,
			FunctionAssociations: &[]*awscloudfront.FunctionAssociation{{
				EventType: awscloudfront.FunctionEventType_VIEWER_REQUEST, Function: viewer,
			}},
		}
	}
	var errors []*awscloudfront.ErrorResponse
	for _, status := range keptErrors {
		errors = append(errors, &awscloudfront.ErrorResponse{
			HttpStatus: jsii.Number(status), Ttl: awscdk.Duration_Seconds(jsii.Number(0)),
		})
	}
	props := &awscloudfront.DistributionProps{
		Comment:                jsii.String(s.settings.Name + ": the API"),
		DefaultBehavior:        behavior(awscloudfront.CachePolicy_CACHING_DISABLED()),
		ErrorResponses:         &errors,
		EnableIpv6:             jsii.Bool(false),
		PriceClass:             s.settings.profile().images,
		HttpVersion:            awscloudfront.HttpVersion_HTTP2_AND_3,
		MinimumProtocolVersion: awscloudfront.SecurityPolicyProtocol_TLS_V1_2_2021,
	}
	if s.settings.WAF {
		props.WebAclId = awscdk.NewCfnParameter(s.stack, jsii.String("WebAclArn"), &awscdk.CfnParameterProps{
			Description:           jsii.String("Output WebAclArn of the edge's stack"),
			AllowedPattern:        jsii.String(`^arn:aws[a-z-]*:wafv2:us-east-1:[0-9]{12}:global/webacl/.+$`),
			ConstraintDescription: jsii.String("the ARN of a web ACL for CloudFront"),
		}).ValueAsString()
	}
	if s.settings.DomainName != "" {
		props.DomainNames = jsii.Strings(s.settings.DomainName)
		props.Certificate = s.certificate("ApiCertificate", s.settings.CertificateARN)
	}
	made := awscloudfront.NewDistribution(s.stack, jsii.String("Front"), props)
	s.addSharedPaths(made, behavior)
	s.output("FrontId", made.DistributionId())
	if s.settings.DomainName != "" {
		s.output("ApiDomainTarget", made.DistributionDomainName())
		s.newRecord("ApiRecord", s.settings.DomainName, awsroute53targets.NewCloudFrontTarget(made))
	}
	return made.DistributionDomainName()
}
