package stack

import (
	_ "embed"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsroute53targets"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/token/content"
)

//go:embed imagepaths.js
var imagePaths string

const (
	// imageCacheDays is how long an edge keeps a file. Files are named by their
	// content: what is there never changes.
	imageCacheDays = 365
	// imageMissSeconds is how long an edge keeps that there is no such file: it may be
	// stored a moment later.
	imageMissSeconds = 10
	// hstsDays is how long a browser asks by HTTPS only.
	hstsDays = 365
)

// newImageCDN puts CloudFront before the pictures and the proofs of the asset bucket, and
// gives the address that takes the place of an IPFS gateway's in imageUrl: every picture
// that the service names is in the bucket first, and its path there is a gateway's. What
// is not in the bucket is 403 and not fetched from elsewhere, for then anyone's content
// could be had under our name. Without edges pictures come from the public gateway.
//
// Requests are not logged: a log would have the addresses of all who look at a
// token, and CloudFront's metrics show load and errors.
func (s service) newImageCDN() (address *string) {
	edges := s.settings.profile().images
	if edges == edgesNone {
		return jsii.String(s.settings.IPFSGatewayURL)
	}
	mapping := awscloudfront.NewFunction(s.stack, jsii.String("GalleryPaths"), &awscloudfront.FunctionProps{
		Code:    awscloudfront.FunctionCode_FromInline(jsii.String(imagePaths)),
		Runtime: awscloudfront.FunctionRuntime_JS_2_0(),
		Comment: jsii.String("Gives pictures and proofs the names that they have in the bucket"),
	})
	props := &awscloudfront.DistributionProps{
		Comment: jsii.String(s.settings.Name + ": pictures and proofs"),
		DefaultBehavior: &awscloudfront.BehaviorOptions{
			Origin:                s.imageOrigin(),
			AllowedMethods:        awscloudfront.AllowedMethods_ALLOW_GET_HEAD(),
			CachePolicy:           s.imageCache(),
			ResponseHeadersPolicy: s.imageHeaders(),
			ViewerProtocolPolicy:  awscloudfront.ViewerProtocolPolicy_HTTPS_ONLY,
			FunctionAssociations: &[]*awscloudfront.FunctionAssociation{{
				EventType: awscloudfront.FunctionEventType_VIEWER_REQUEST, Function: mapping,
			}},
		},
		ErrorResponses: &[]*awscloudfront.ErrorResponse{{
			HttpStatus: jsii.Number(403), Ttl: awscdk.Duration_Seconds(jsii.Number(imageMissSeconds)),
		}},
		PriceClass:             edges,
		HttpVersion:            awscloudfront.HttpVersion_HTTP2_AND_3,
		MinimumProtocolVersion: awscloudfront.SecurityPolicyProtocol_TLS_V1_2_2021,
	}
	if s.settings.ImageDomain != "" {
		props.DomainNames = jsii.Strings(s.settings.ImageDomain)
		props.Certificate = s.certificate("GalleryCertificate", s.settings.ImageCertificateARN)
	}
	made := awscloudfront.NewDistribution(s.stack, jsii.String("Gallery"), props)
	address = jsii.String("https://" + *made.DistributionDomainName())
	if s.settings.ImageDomain != "" {
		address = jsii.String("https://" + s.settings.ImageDomain)
		s.output("ImagesDomainTarget", made.DistributionDomainName())
		s.newRecord("GalleryRecord", s.settings.ImageDomain, awsroute53targets.NewCloudFrontTarget(made))
	}
	s.output("ImagesUrl", address)
	return address
}

// imageOrigin lets CloudFront read the two folders, and list nothing. Any distribution
// of the account may: so a stack that adopts the bucket can be before it too, and what is
// there may be read by anyone anyway.
func (s service) imageOrigin() awscloudfront.IOrigin {
	if s.settings.Adopted.AssetBucket == "" {
		s.store.assets.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
			Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String("cloudfront.amazonaws.com"), nil)},
			Actions:    jsii.Strings(getFiles...),
			Resources:  &[]*string{s.folder(content.Image), s.folder(content.ProofManifest)},
			Conditions: &map[string]any{"StringLike": map[string]any{
				"AWS:SourceArn": s.stack.FormatArn(&awscdk.ArnComponents{
					Service: jsii.String("cloudfront"), Region: jsii.String(""), Resource: jsii.String("distribution"), ResourceName: jsii.String("*"),
				}),
			}},
		}))
	}
	access := awscloudfront.NewS3OriginAccessControl(s.stack, jsii.String("GalleryAccess"), &awscloudfront.S3OriginAccessControlProps{
		OriginAccessControlName: s.inRegion(""),
	})
	return awscloudfrontorigins.S3BucketOrigin_WithBucketDefaults(s.store.assets, &awscloudfront.OriginProps{
		OriginAccessControlId: access.OriginAccessControlId(),
	})
}

// imageCache keeps a file by its path alone, for as long as CloudFront keeps any.
func (s service) imageCache() awscloudfront.ICachePolicy {
	days := awscdk.Duration_Days(jsii.Number(imageCacheDays))
	return awscloudfront.NewCachePolicy(s.stack, jsii.String("GalleryCache"), &awscloudfront.CachePolicyProps{
		Comment: jsii.String("Files named by their content"),
		MinTtl:  awscdk.Duration_Seconds(jsii.Number(0)), DefaultTtl: days, MaxTtl: days,
		EnableAcceptEncodingGzip: jsii.Bool(true), EnableAcceptEncodingBrotli: jsii.Bool(true),
	})
}

// imageHeaders let any page show what is here, and nothing that is here do anything.
func (s service) imageHeaders() awscloudfront.IResponseHeadersPolicy {
	yes := jsii.Bool(true)
	return awscloudfront.NewResponseHeadersPolicy(s.stack, jsii.String("GalleryHeaders"), &awscloudfront.ResponseHeadersPolicyProps{
		ResponseHeadersPolicyName: s.inRegion("-files"),
		Comment:                   jsii.String("For files that strangers uploaded"),
		CorsBehavior: &awscloudfront.ResponseHeadersCorsBehavior{
			AccessControlAllowOrigins: jsii.Strings("*"), AccessControlAllowMethods: jsii.Strings("GET", "HEAD"),
			AccessControlAllowHeaders: jsii.Strings("*"), AccessControlAllowCredentials: jsii.Bool(false), OriginOverride: yes,
		},
		CustomHeadersBehavior: &awscloudfront.ResponseCustomHeadersBehavior{CustomHeaders: &[]*awscloudfront.ResponseCustomHeader{
			{Header: jsii.String("Cross-Origin-Resource-Policy"), Value: jsii.String("cross-origin"), Override: yes},
		}},
		SecurityHeadersBehavior: &awscloudfront.ResponseSecurityHeadersBehavior{
			ContentSecurityPolicy: &awscloudfront.ResponseHeadersContentSecurityPolicy{
				ContentSecurityPolicy: jsii.String("default-src 'none'; sandbox"), Override: yes,
			},
			ContentTypeOptions: &awscloudfront.ResponseHeadersContentTypeOptions{Override: yes},
			FrameOptions: &awscloudfront.ResponseHeadersFrameOptions{
				FrameOption: awscloudfront.HeadersFrameOption_DENY, Override: yes,
			},
			ReferrerPolicy: &awscloudfront.ResponseHeadersReferrerPolicy{
				ReferrerPolicy: awscloudfront.HeadersReferrerPolicy_NO_REFERRER, Override: yes,
			},
			StrictTransportSecurity: &awscloudfront.ResponseHeadersStrictTransportSecurity{
				AccessControlMaxAge: awscdk.Duration_Days(jsii.Number(hstsDays)), Override: yes,
			},
		},
	})
}
