package stack_test

import (
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/infra/stack"
	"tokenlaunch.example/service/infra/stages"
)

// With a domain name the API responds under no other name, and everything that states its address
// has this name.
func TestDomainName(t *testing.T) {
	s := settings(t, "prod")
	s.Front = false
	s.PublicURL, s.DomainName, s.CertificateARN = "", "api.example.com", "arn:aws:acm:eu-west-1:000000000000:certificate/api"
	s.ImageDomain, s.ImageCertificateARN = "images.example.com", "arn:aws:acm:us-east-1:000000000000:certificate/images"
	s.HostedZoneID, s.HostedZoneName = "Z0123456789", "example.com"
	tpl := synthesizeWith(t, s)

	wantEqual(t, "the API's other name is off", tpl.of("AWS::ApiGatewayV2::Api")["Api"].at("DisableExecuteApiEndpoint"), any(true))
	name := tpl.of("AWS::ApiGatewayV2::DomainName")["ApiDomain"]
	wantEqual(t, "name", text(name.at("DomainName")), s.DomainName)
	certified := list(name.at("DomainNameConfigurations"))[0]
	wantEqual(t, "certificate", text(at(certified, "CertificateArn")), s.CertificateARN)
	wantEqual(t, "TLS", text(at(certified, "SecurityPolicy")), "TLS_1_2")
	mappings := tpl.of("AWS::ApiGatewayV2::ApiMapping")
	wantEqual(t, "mappings", len(mappings), 1)
	for mapping, r := range mappings {
		wantEqual(t, mapping, text(r.at("DomainName"))+" "+text(r.at("ApiId"))+" "+text(r.at("Stage")), "ApiDomain Api $default")
	}
	for function, r := range tpl.of("AWS::Lambda::Function") {
		for _, variable := range []string{"PUBLIC_URL", "JWT_ISSUER"} {
			if value := r.at("Environment", "Variables", variable); value != nil {
				wantEqual(t, function+" "+variable, text(value), "https://api.example.com")
			}
		}
	}
	wantEqual(t, "ApiUrl", text(tpl.Outputs["ApiUrl"].Value), "https://api.example.com")
	wantEqual(t, "ImagesUrl", text(tpl.Outputs["ImagesUrl"].Value), "https://images.example.com")

	var records []string
	for _, r := range tpl.of("AWS::Route53::RecordSet") {
		records = append(records, text(r.at("HostedZoneId"))+" "+text(r.at("Name"))+" → "+text(r.at("AliasTarget", "DNSName")))
	}
	wantLines(t, "records", records, []string{
		"Z0123456789 api.example.com. → ApiDomain.RegionalDomainName", "Z0123456789 images.example.com. → Gallery.DomainName",
	})
	viewer := tpl.of("AWS::CloudFront::Distribution")["Gallery"].at("DistributionConfig", "ViewerCertificate")
	wantEqual(t, "pictures", text(at(viewer, "AcmCertificateArn"))+" "+text(at(viewer, "MinimumProtocolVersion")), s.ImageCertificateARN+" TLSv1.2_2021")
}

// Without a zone an operator points the names: the outputs say where.
func TestNamesWithoutAZone(t *testing.T) {
	s := settings(t, "dev")
	s.DomainName, s.CertificateARN = "api.example.com", "arn:aws:acm:eu-west-1:000000000000:certificate/api"
	s.ImageDomain, s.ImageCertificateARN = "images.example.com", "arn:aws:acm:us-east-1:000000000000:certificate/images"
	tpl := synthesizeWith(t, s)
	wantEqual(t, "records", len(tpl.of("AWS::Route53::RecordSet")), 0)
	wantEqual(t, "API", text(tpl.Outputs["ApiDomainTarget"].Value), "ApiDomain.RegionalDomainName")
	wantEqual(t, "pictures", text(tpl.Outputs["ImagesDomainTarget"].Value), "Gallery.DomainName")
}

// A stack with money is deleted only after an operator has said so twice.
func TestStacksAreProtectedFromDeletion(t *testing.T) {
	for _, test := range []struct {
		stage, network string
		want           bool
	}{{"local", "localnet", false}, {"dev", "devnet", false}, {"staging", "devnet", false}, {"prod", "devnet", true}, {"dev", "mainnet", true}} {
		s := settings(t, test.stage)
		s.Network = test.network
		app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(t.TempDir())})
		made := stack.NewService(app, s)
		wantEqual(t, test.stage+" on "+test.network, *made.TerminationProtection(), test.want)
		// The alarms' stack has no data, and a creation that fails is repeated.
		alarms, _ := app.Node().FindChild(jsii.String(s.Name + stages.AlarmsSuffix)).(awscdk.Stack)
		if on := alarms.TerminationProtection(); on != nil && *on {
			t.Errorf("%s on %s: the alarms' stack is protected", test.stage, test.network)
		}
	}
}
