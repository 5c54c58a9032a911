package stack

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// Secrets names secrets of AWS Secrets Manager, in the account and region of the stack:
// each by its name or its whole ARN, and empty where there is none. The stack makes
// none of them and never sees a value.
type Secrets struct {
	RPC      string // addresses of Solana nodes, with spaces between
	RPC2     string // those of a second provider
	Helius   string // an address of Helius, which lists holders by pages
	Pinata   string // a token for Pinata
	Telegram string // the token of the bot; without it no notice is sent
	Exchange string // the API key of the exchange
}

// variables are the variables of functions that name secrets. Each belongs to one of
// the Secrets.
func (s Secrets) variables() map[string]string {
	return map[string]string{
		"RPC_SECRET": s.RPC, "RPC_SECRET_2": s.RPC2, "HELIUS_SECRET": s.Helius,
		"PINATA_SECRET": s.Pinata, "TELEGRAM_SECRET": s.Telegram, "EXCHANGE_SECRET": s.Exchange,
	}
}

var (
	secretName = regexp.MustCompile(`^[A-Za-z0-9/_+=.@-]{1,512}$`)
	// secretARN is a whole one: Secrets Manager puts six random characters after the
	// name.
	secretARN = regexp.MustCompile(`^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]{1,512}-[A-Za-z0-9]{6}$`)
)

func (r *reader) secrets() Secrets {
	return Secrets{
		RPC: r.secret("rpcSecret"), RPC2: r.secret("rpcSecret2"), Helius: r.secret("heliusSecret"),
		Pinata: r.secret("pinataSecret"), Telegram: r.secret("telegramSecret"), Exchange: r.secret("exchangeSecret"),
	}
}

// secret reads the name of a secret. Its error leaves the value out: it may be the
// secret itself.
func (r *reader) secret(name string) string {
	value := r.text(name, "")
	if value != "" && !secretName.MatchString(value) && !secretARN.MatchString(value) {
		r.fail("%s is not the name or the whole ARN of a secret in Secrets Manager", name)
	}
	return value
}

// publicNode reads the address of nodes that need no key. On stages that others reach
// one that seems to hold a key has to be in a secret.
func (r *reader) publicNode(s Settings) string {
	fallback := ""
	if s.Network == networkDevnet && s.Secrets.RPC == "" {
		fallback = devnetRPC
	}
	value := r.text("rpcUrl", fallback)
	switch {
	case value == "" && s.Secrets.RPC == "":
		r.fail("rpcSecret is not set: name the secret with the address of a node of %s, or give the address of a public one in rpcUrl", s.Network)
	case value != "" && s.Secrets.RPC != "":
		r.fail("rpcUrl and rpcSecret are both set: give the one that holds")
	case !s.Local() && holdsKey(value):
		r.fail("rpcUrl holds what may be a key: put the address into a secret of Secrets Manager, and name that in rpcSecret")
	}
	return value
}

// holdsKey says whether an address, or one of several, has more than a host and a
// version in it.
func holdsKey(addresses string) bool {
	for _, address := range strings.Fields(addresses) {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || longPart.MatchString(u.Path) {
			return true
		}
	}
	return false
}

// longPart finds in a path what is too long for a word like "rpc" or "mainnet-beta".
var longPart = regexp.MustCompile(`[^/]{16,}`)

// readSecrets are the rights to read the secrets that the variables of a function
// name: those and no other.
func (s service) readSecrets(env map[string]*string) []awsiam.PolicyStatement {
	var arns []*string
	named := s.settings.Secrets.variables()
	for _, variable := range slices.Sorted(maps.Keys(named)) {
		if _, reads := env[variable]; reads {
			arns = append(arns, s.secretARN(named[variable]))
		}
	}
	if len(arns) == 0 {
		return nil
	}
	return []awsiam.PolicyStatement{allow([]string{"secretsmanager:GetSecretValue"}, arns...)}
}

// secretARN names a secret in policies. Its own six characters, which a name lacks,
// are six of any: no other secret's ARN has them there.
func (s service) secretARN(name string) *string {
	if strings.HasPrefix(name, "arn:") {
		return jsii.String(name)
	}
	return s.stack.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("secretsmanager"), Resource: jsii.String("secret"),
		ResourceName: jsii.String(name + "-??????"), ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
	})
}

// setSecret names a secret in a variable, unless there is none.
func (s service) setSecret(env map[string]*string, variable string) {
	set(env, variable, s.settings.Secrets.variables()[variable])
}

// node says where the Solana nodes are.
func (s service) node(env map[string]*string) map[string]*string {
	set(env, "NETWORK", s.settings.Network)
	set(env, "RPC_URL", s.settings.RPCURL)
	s.setSecret(env, "RPC_SECRET")
	return env
}
