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
	// imageCacheDays is the time for which an edge caches a file. Files are named by their content,
	// so a file never changes.
	imageCacheDays = 365
	// imageMissSeconds is the time for which an edge caches that a file is missing. The file may be
	// stored shortly afterwards.
	imageMissSeconds = 10
	// hstsDays is the time for which a browser uses only HTTPS.
	hstsDays = 365
)

// newImageCDN puts CloudFront in front of the images and proofs in the asset bucket. It returns the
// base address of imageUrl. The bucket has every image that the service names, under the path of an
// IPFS gateway. A file that is missing in the bucket is a 403, and not fetched from IPFS, because
// any third party's content would then be available under our name. Without edges, images come from
// the public gateway.
//
// Requests are not logged, because a log would have the addresses of a token's viewers.
// CloudFront's metrics show load and errors.
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

// imageOrigin lets CloudFront read the two folders, without listing. All distributions of the
// account may read, so that a stack that adopts the bucket can serve the files, too. The files are
// public anyway.
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

// imageCache caches a file by its path only, for CloudFront's maximum time.
func (s service) imageCache() awscloudfront.ICachePolicy {
	days := awscdk.Duration_Days(jsii.Number(imageCacheDays))
	return awscloudfront.NewCachePolicy(s.stack, jsii.String("GalleryCache"), &awscloudfront.CachePolicyProps{
		Comment: jsii.String("Files named by their content"),
		MinTtl:  awscdk.Duration_Seconds(jsii.Number(0)), DefaultTtl: days, MaxTtl: days,
		EnableAcceptEncodingGzip: jsii.Bool(true), EnableAcceptEncodingBrotli: jsii.Bool(true),
	})
}

// imageHeaders let any page show the files, and prevent files from running scripts.
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
