package stack

import (
	"net/mail"
	"net/url"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/content"
)

// publicNodes are the default nodes of the page's visitors, by network.
var publicNodes = map[string]string{networkMainnet: mainnetRPC, networkDevnet: devnetRPC}

// docs serves the documents and the page.
func (s service) docs(publicURL *string) function {
	env := map[string]*string{
		"STAGE":            jsii.String(s.settings.Stage),
		"NETWORK":          jsii.String(s.settings.Network),
		"LAUNCH_TABLE":     s.store.launch.TableName(),
		"ASSET_BUCKET":     s.store.assets.BucketName(),
		"WINDOW_TABLE":     s.store.window.TableName(),
		"JWT_KEY_IDS":      s.keys.tokenIDs(),
		"PUBLIC_URL":       publicURL,
		"IPFS_GATEWAY_URL": jsii.String(s.settings.IPFSGatewayURL),
		"PAGE_FILES_URL":   s.imageCDN,
		"PAGE_PROOF_URL":   s.proofURL(),
		"PAGE_BURNER":      jsii.String("false"),
	}
	if s.settings.PageBurner {
		env["PAGE_BURNER"] = jsii.String("true")
	}
	set(env, "VERSION", s.settings.Version)
	set(env, "REPORT_URL", s.settings.ReportURL)
	set(env, "PAGE_RPC_URL", s.settings.PageRPCURL)
	set(env, "PAGE_MARKETS", s.settings.PageMarkets)
	return function{
		name: route.FunctionDocs, construct: "Docs", about: "Serves the page, the documents, the health check and every unknown route",
		memoryMB: 512, timeoutSeconds: httpTimeoutSeconds,
		env: env,
		may: []awsiam.PolicyStatement{
			s.counts(),
			s.allowStatus(readStatus),
			allow(readPublicKey, s.keys.tokenARNs()...),
			s.allowTokens(),
			allow(getFiles, s.folder(content.Image)),
		},
	}
}

// allowTokens permits reading the records and figures of tokens, which are public, and no other
// items of the launch table.
func (s service) allowTokens() awsiam.PolicyStatement {
	return within(s.store.launch, readMany, []string{schema.Tokens + "*", schema.Figures + "*"})
}

// proofURL returns the pattern of a proof file's address for browsers, by content id: at CloudFront
// under the bucket's names, or at the IPFS gateway.
func (s service) proofURL() *string {
	if s.settings.profile().images == edgesNone {
		return jsii.String(strings.TrimSuffix(s.settings.IPFSGatewayURL, "/") + "/ipfs/{cid}")
	}
	return concat(s.imageCDN, "/"+content.ProofManifest.Folder+"/{cid}{extension}")
}

// report reads the address for reports of tokens and images, a mail address or an https address,
// and returns a URL. Mainnet requires an address.
func (r *reader) report(network string) string {
	value := r.text("reportAddress", "")
	if value == "" {
		if network == networkMainnet && r.context["stage"] != StageLocal {
			r.fail("reportAddress is not set: on mainnet strangers report tokens and pictures to a mail address or an https one")
		}
		return ""
	}
	if mail, err := mail.ParseAddress(value); err == nil && mail.Address == value {
		return "mailto:" + value
	}
	if u, err := url.Parse(value); err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		r.fail("reportAddress is neither a mail address nor an https one")
	}
	return value
}

// pageNode reads the address of the node for the page's visitors. The page contains the address, so
// an address with a key is rejected on every stage.
func (r *reader) pageNode(s Settings) string {
	value := r.text("pageRpcUrl", publicNodes[s.Network])
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		r.fail("pageRpcUrl is not an http or https address")
	case holdsKey(value):
		r.fail("pageRpcUrl holds what may be a key, and anyone can read it on the page: give a public node, or a relay of yours that adds the key")
	case u.Scheme != "https" && !s.Local():
		r.fail("pageRpcUrl begins with %s: browsers ask nothing of it from a page under https", u.Scheme)
	}
	return value
}

// pageMarkets reads the market keys of the page.
func (r *reader) pageMarkets(s Settings) string {
	markets := r.text("pageMarkets", "")
	if markets != "" && (!s.Local() || s.Network != networkLocal) {
		r.fail("pageMarkets names keys that the page takes for markets: those are for the local stage and its chain")
	}
	return markets
}

// pageBurner reads whether the page creates wallets.
func (r *reader) pageBurner(s Settings) bool {
	burner := r.oneOf("pageBurner", "false", "true") == "true"
	if burner && (!s.Local() || s.Network != networkLocal) {
		r.fail("pageBurner is true: wallets whose keys are in the browser are for the local stage and its chain")
	}
	return burner
}
