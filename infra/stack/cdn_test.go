package stack_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/token/content"
)

// imageCDN is the configuration of the distribution.
func image(t *testing.T, tpl template) map[string]any {
	t.Helper()
	config, _ := tpl.of("AWS::CloudFront::Distribution")["Gallery"].at("DistributionConfig").(map[string]any)
	return config
}

func TestPicturesAreServedByCloudFront(t *testing.T) {
	tpl := synthesize(t, "prod")
	config := image(t, tpl)
	behavior := at(config, "DefaultCacheBehavior")
	wantEqual(t, "protocol", text(at(behavior, "ViewerProtocolPolicy")), "https-only")
	wantLines(t, "methods", texts(at(behavior, "AllowedMethods")), []string{"GET", "HEAD"})
	wantEqual(t, "other behaviors", len(list(at(config, "CacheBehaviors"))), 0)
	wantEqual(t, "function", text(at(list(at(behavior, "FunctionAssociations"))[0], "EventType")), "viewer-request")

	origins := list(at(config, "Origins"))
	wantEqual(t, "origins", len(origins), 1)
	wantEqual(t, "origin", text(at(origins[0], "DomainName")), "AssetBucket.RegionalDomainName")
	wantEqual(t, "access", text(at(origins[0], "OriginAccessControlId")), "GalleryAccess.Id")
	for name, r := range tpl.of("AWS::CloudFront::OriginAccessControl") {
		wantEqual(t, name, text(r.at("OriginAccessControlConfig", "SigningBehavior")), "always")
	}

	// Only the path may be in the key. With other parts of a request a caller could fill the cache,
	// and reach the bucket each time.
	key := tpl.of("AWS::CloudFront::CachePolicy")["GalleryCache"].at("CachePolicyConfig", "ParametersInCacheKeyAndForwardedToOrigin")
	for _, part := range []struct{ config, behavior string }{
		{"CookiesConfig", "CookieBehavior"}, {"HeadersConfig", "HeaderBehavior"}, {"QueryStringsConfig", "QueryStringBehavior"},
	} {
		wantEqual(t, part.config, text(at(key, part.config, part.behavior)), "none")
	}
	headers := tpl.of("AWS::CloudFront::ResponseHeadersPolicy")["GalleryHeaders"].at("ResponseHeadersPolicyConfig")
	wantEqual(t, "policy", text(at(headers, "SecurityHeadersConfig", "ContentSecurityPolicy", "ContentSecurityPolicy")), "default-src 'none'; sandbox")
	wantEqual(t, "sniffing", at(headers, "SecurityHeadersConfig", "ContentTypeOptions", "Override"), any(true))
	wantEqual(t, "HTTPS for", text(at(headers, "SecurityHeadersConfig", "StrictTransportSecurity", "AccessControlMaxAgeSec")), "31536000")
}

// CloudFront reads two folders of one bucket, and lists nothing.
func TestCloudFrontReadsPicturesAndProofs(t *testing.T) {
	var have []string
	for name, r := range synthesize(t, "prod").of("AWS::S3::BucketPolicy") {
		for _, statement := range list(r.at("PolicyDocument", "Statement")) {
			if text(at(statement, "Effect")) != "Allow" {
				continue
			}
			wantEqual(t, name+" lets in", text(at(statement, "Principal", "Service")), "cloudfront.amazonaws.com")
			wantEqual(t, name+" from", text(at(statement, "Condition", "StringLike", "AWS:SourceArn")),
				"arn:AWS::Partition:cloudfront::AWS::AccountId:distribution/*")
			for _, on := range texts(at(statement, "Resource")) {
				have = append(have, text(at(statement, "Action"))+" "+on)
			}
		}
	}
	wantLines(t, "rights", have, []string{"s3:GetObject AssetBucket.Arn/images/*", "s3:GetObject AssetBucket.Arn/proofs/*"})
}

// imageUrl leads to CloudFront. Proofs are shown at a third party's gateway, so a reader who doubts
// the service need not trust it for them.
func TestPicturesAndProofsHaveTheirAddresses(t *testing.T) {
	s := settings(t, "prod")
	s.ImageDomain, s.ImageCertificateARN = "images.example.com", "arn:aws:acm:us-east-1:000000000000:certificate/1"
	for _, test := range []struct {
		name, pictures, proofs string
		tpl                    template
	}{
		{"CloudFront's name", "https://Gallery.DomainName", "/proofs/{cid}{extension}", synthesize(t, "prod")},
		{"a name of its own", "https://images.example.com", "/proofs/{cid}{extension}", synthesizeWith(t, s)},
		{"no CloudFront", "https://ipfs.io", "/ipfs/{cid}", synthesize(t, "local")},
	} {
		docs := test.tpl.of("AWS::Lambda::Function")["DocsFunction"]
		wantEqual(t, test.name+": files of the page", text(docs.at("Environment", "Variables", "PAGE_FILES_URL")), test.pictures)
		wantEqual(t, test.name+": proofs for the page", text(docs.at("Environment", "Variables", "PAGE_PROOF_URL")), test.pictures+test.proofs)
		for name, r := range test.tpl.of("AWS::Lambda::Function") {
			gateway := r.at("Environment", "Variables", "IPFS_GATEWAY_URL")
			if gateway == nil {
				continue
			}
			want := "https://ipfs.io"
			if name == "TokensFunction" || name == "FeaturedFunction" || name == "LaunchpadFunction" {
				want = test.pictures
			}
			wantEqual(t, test.name+": "+name, text(gateway), want)
		}
	}
}

// The function runs here as in CloudFront: it has no module, and only JavaScript.
func TestOnlyImagesAndProofsAreRead(t *testing.T) {
	const cid = "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"
	proof := "/" + content.ProofList.Key(cid)
	tests := map[string]string{
		"/ipfs/" + cid:                       "/" + content.Image.Key(cid),
		proof:                                proof,
		"/" + content.ProofManifest.Key(cid): "/" + content.ProofManifest.Key(cid),
		"/" + content.ProofAnchor.Key(cid):   "/" + content.ProofAnchor.Key(cid),
	}
	for _, nothing := range []string{
		"/", "", "/index.html", "/ipfs/", "/ipfs/" + cid + "/", "/ipfs/" + cid + ".jpg", "/ipfs/../proofs/x", "/ipfs/" + cid + "%2f..",
		"/ipfs/" + strings.ToUpper(cid), "/ipfs/" + cid[1:], "/ipfs/" + cid + "a", "/ipns/" + cid, "//ipfs/" + cid,
		"/" + content.Metadata.Key(cid), "/" + content.Image.Key(cid), "/proofs/" + cid, "/proofs/" + cid + ".jpg", "/proofs/x/" + cid + ".csv",
	} {
		tests[nothing] = ""
	}
	var uris []string
	for uri := range tests {
		uris = append(uris, uri)
	}
	asked, err := json.Marshal(uris)
	if err != nil {
		t.Fatal(err)
	}
	code := text(synthesize(t, "prod").of("AWS::CloudFront::Function")["GalleryPaths"].at("FunctionCode"))
	script := code + `
console.log(JSON.stringify(` + string(asked) + `.map((uri) => {
  const answer = handler({ request: { method: 'GET', uri, headers: {}, querystring: {} } });
  return answer.statusCode ? String(answer.statusCode) : answer.uri;
})));`
	out, err := exec.CommandContext(t.Context(), "node", "-e", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	if err := json.Unmarshal(out, &have); err != nil {
		t.Fatal(err)
	}
	for i, uri := range uris {
		want := tests[uri]
		if want == "" {
			want = "404"
		}
		wantEqual(t, uri, have[i], want)
	}
}
