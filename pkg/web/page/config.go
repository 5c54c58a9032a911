package page

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Networks with special cases here.
const (
	localnet = "localnet"
	mainnet  = "mainnet"
)

// Config is the page's configuration of its deployment, as JSON in the HTML. Config contains no
// secrets, because every visitor can read the HTML.
type Config struct {
	Network string `json:"network"`
	Stage   string `json:"stage"`
	// APIURL is the public address of the API. The page itself calls its own origin.
	APIURL string `json:"apiUrl"`
	// RPCURL is a public Solana node that accepts calls from browsers, without a key; empty means
	// no node.
	RPCURL string `json:"rpcUrl"`
	// FilesURL is the address of pictures and proofs.
	FilesURL string `json:"filesUrl"`
	// ProofURL is the address of a proof's file at FilesURL, with {cid} for the content ID and
	// optionally {extension} for the extension of its kind (".csv", ".json", ".tx").
	ProofURL string   `json:"proofUrl"`
	Explorer Explorer `json:"explorer"`
	// Markets are keys that the page accepts as markets when verifying a proof: the wallet may sell
	// tokens directly to these keys. Only a local chain needs such keys.
	Markets []string `json:"markets,omitempty"`
	// Burner lets the page create wallets whose keys are in the browser. Only a local chain has
	// money for such wallets.
	Burner  bool   `json:"burner"`
	Version string `json:"version"`

	// ReportURL is the address for reports of a token, a picture or a name, by https: or mailto:;
	// empty means no reports.
	ReportURL string `json:"-"`
	// GatewayURL is the IPFS gateway of the API's links to proofs.
	GatewayURL string `json:"-"`
}

// Explorer has the addresses of a public explorer for transactions and accounts, with {} for the
// signature or the address.
type Explorer struct {
	Transaction string `json:"transaction"`
	Address     string `json:"address"`
}

// NewExplorer returns the addresses for a network. The explorer shows a local chain if the chain is
// at rpcURL of the visitor's machine.
func NewExplorer(network, rpcURL string) Explorer {
	query := ""
	switch network {
	case mainnet:
	case localnet:
		query = "?cluster=custom&customUrl=" + url.QueryEscape(rpcURL)
	default:
		query = "?cluster=" + url.QueryEscape(network)
	}
	const explorer = "https://explorer.solana.com/"
	return Explorer{Transaction: explorer + "tx/{}" + query, Address: explorer + "address/{}" + query}
}

// check rejects values that must not be on a public page. The errors do not contain the addresses.
func (c Config) check() error {
	for name, address := range map[string]string{
		"public address": c.APIURL, "node": c.RPCURL, "files": c.FilesURL, "proofs": c.ProofURL, "IPFS gateway": c.GatewayURL,
	} {
		if address == "" {
			continue
		}
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return fmt.Errorf("the page's address of the %s is not an http or https address", name)
		}
		if u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(u.Host, " ;,'*") {
			return fmt.Errorf("the page's address of the %s has more in it than a host and a path: anyone can read it", name)
		}
	}
	if c.ReportURL != "" {
		if u, err := url.Parse(c.ReportURL); err != nil || (u.Scheme != "https" || u.Host == "") && (u.Scheme != "mailto" || !strings.Contains(u.Opaque, "@")) {
			return errors.New("the page's report address is neither an https address nor a mailto: one")
		}
	}
	if c.Burner && c.Network != localnet {
		return errors.New("the page may make wallets in the browser on a local chain only")
	}
	if len(c.Markets) > 0 && c.Network != localnet {
		return errors.New("the page may take keys for markets on a local chain only")
	}
	return nil
}

// policy returns the Content-Security-Policy of the page's HTML, which allows only the page's own
// files, the public files and the node. The policy allows no inline script and no inline style.
func (c Config) policy() string {
	pictures := sources(c.FilesURL)
	calls := sources(c.FilesURL, c.ProofURL, c.GatewayURL, c.RPCURL)
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"font-src 'self'",
		"worker-src 'self'",
		"img-src 'self' blob: data:" + pictures,
		"connect-src 'self'" + calls,
		"form-action 'none'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
	}, "; ")
}

// sources returns the distinct origins of addresses, each after a space.
func sources(addresses ...string) string {
	var origins []string
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			continue
		}
		if origin := u.Scheme + "://" + u.Host; !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	if len(origins) == 0 {
		return ""
	}
	return " " + strings.Join(origins, " ")
}
