package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsroute53"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsroute53targets"
	"github.com/aws/jsii-runtime-go"
)

// apiURL returns the address of the API: the domain name of the settings, or the name by CloudFront
// or the gateway.
func (s service) apiURL(api awsapigatewayv2.HttpApi) *string {
	var atEdge *string
	if s.settings.Front {
		atEdge = jsii.String("https://" + *s.newFront(api))
	}
	switch {
	case s.settings.DomainName != "":
		return jsii.String("https://" + s.settings.DomainName)
	case s.settings.Front:
		return atEdge
	default:
		return api.ApiEndpoint()
	}
}

// newDomain creates the gateway's domain name. It returns nil without a name, or if CloudFront has
// the name.
func (s service) newDomain() *awsapigatewayv2.DomainMappingOptions {
	if s.settings.DomainName == "" || s.settings.Front {
		return nil
	}
	name := awsapigatewayv2.NewDomainName(s.stack, jsii.String("ApiDomain"), &awsapigatewayv2.DomainNameProps{
		DomainName:     jsii.String(s.settings.DomainName),
		Certificate:    s.certificate("ApiCertificate", s.settings.CertificateARN),
		SecurityPolicy: awsapigatewayv2.SecurityPolicy_TLS_1_2,
	})
	s.output("ApiDomainTarget", name.RegionalDomainName())
	s.newRecord("ApiRecord", s.settings.DomainName,
		awsroute53targets.NewApiGatewayv2DomainProperties(name.RegionalDomainName(), name.RegionalHostedZoneId()))
	return &awsapigatewayv2.DomainMappingOptions{DomainName: name}
}

func (s service) certificate(construct, arn string) awscertificatemanager.ICertificate {
	return awscertificatemanager.Certificate_FromCertificateArn(s.stack, jsii.String(construct), jsii.String(arn))
}

// newRecord creates a DNS record of the name, if the hosted zone is known.
func (s service) newRecord(construct, name string, target awsroute53.IAliasRecordTarget) {
	if s.settings.HostedZoneID == "" {
		return
	}
	zone := awsroute53.HostedZone_FromHostedZoneAttributes(s.stack, jsii.String(construct+"Zone"), &awsroute53.HostedZoneAttributes{
		HostedZoneId: jsii.String(s.settings.HostedZoneID), ZoneName: jsii.String(s.settings.HostedZoneName),
	})
	awsroute53.NewARecord(s.stack, jsii.String(construct), &awsroute53.ARecordProps{
		Zone: zone, RecordName: jsii.String(name), Target: awsroute53.RecordTarget_FromAlias(target),
	})
}
