package page

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Networks that have something of their own here.
const (
	localnet = "localnet"
	mainnet  = "mainnet"
)

// Config is what the page is told of its deployment, as JSON in its HTML. There is no
// secret in it: every visitor can read it.
type Config struct {
	Network string `json:"network"`
	Stage   string `json:"stage"`
	// APIURL is where callers reach the API; the page itself calls its own origin.
	APIURL string `json:"apiUrl"`
	// RPCURL is a public Solana node that takes calls of browsers, without a key; empty
	// when there is none.
	RPCURL string `json:"rpcUrl"`
	// FilesURL is where pictures and proofs are.
	FilesURL string `json:"filesUrl"`
	// ProofURL is the address of a file of a proof there, with {cid} for its content id
	// and {extension} for its kind's (".csv", ".json", ".tx"), if that is part of it.
	ProofURL string   `json:"proofUrl"`
	Explorer Explorer `json:"explorer"`
	// Markets are keys that the page takes for markets when it verifies a proof: the wallet
	// may sell tokens to those directly. Only a local chain has none better.
	Markets []string `json:"markets,omitempty"`
	// Burner lets the page make wallets whose keys are in the browser. Only a local chain
	// has money for those.
	Burner  bool   `json:"burner"`
	Version string `json:"version"`

	// ReportURL is where a token, a picture or a name is reported, by https: or mailto:;
	// empty: nowhere.
	ReportURL string `json:"-"`
	// GatewayURL is the IPFS gateway that the API's links to proofs lead to.
	GatewayURL string `json:"-"`
}

// Explorer has the addresses at which a public explorer shows what is on the chain, with
// {} for the signature or the address.
type Explorer struct {
	Transaction string `json:"transaction"`
	Address     string `json:"address"`
}

// NewExplorer gives the addresses for a network. It shows a local chain when that is at
// rpcURL of the visitor's machine.
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

// check refuses what must not be on a page that anyone can read. Its errors leave the
// addresses out.
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

// policy is the Content-Security-Policy of the page's HTML: its own files, the public
// files and the node, and nothing else. There is no inline script and no inline style.
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

// sources writes the origins of addresses, each once and after a space.
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
