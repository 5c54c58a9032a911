package stack

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// Secrets maps the context value of a row of SecretRows to the secret's name or complete ARN in AWS
// Secrets Manager, in the account and Region of the stack. A secret without a name is absent or
// empty. The stack creates none of these secrets and never reads a value.
type Secrets map[string]string

var (
	secretName = regexp.MustCompile(`^[A-Za-z0-9/_+=.@-]{1,512}$`)
	// secretARN matches complete ARNs. Secrets Manager appends six random characters to the name.
	secretARN = regexp.MustCompile(`^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:[A-Za-z0-9/_+=.@-]{1,512}-[A-Za-z0-9]{6}$`)
)

func (r *reader) secrets() Secrets {
	named := Secrets{}
	for _, row := range SecretRows {
		if name := r.secret(row.Context); name != "" {
			named[row.Context] = name
		}
	}
	return named
}

// secret reads the name of a secret. The error omits the value, which may be the secret by mistake.
func (r *reader) secret(name string) string {
	value := r.text(name, "")
	if value != "" && !secretName.MatchString(value) && !secretARN.MatchString(value) {
		r.fail("%s is not the name or the whole ARN of a secret in Secrets Manager", name)
	}
	return value
}

// publicNode reads the address of nodes without a key. On shared stages, an address that seems to
// contain a key must be in a secret.
func (r *reader) publicNode(s Settings) string {
	fallback := ""
	if s.Network == networkDevnet && s.Secrets[rpcSecret] == "" {
		fallback = devnetRPC
	}
	value := r.text("rpcUrl", fallback)
	switch {
	case value == "" && s.Secrets[rpcSecret] == "":
		r.fail("rpcSecret is not set: name the secret with the address of a node of %s, or give the address of a public one in rpcUrl", s.Network)
	case value != "" && s.Secrets[rpcSecret] != "":
		r.fail("rpcUrl and rpcSecret are both set: give the one that holds")
	case !s.Local() && holdsKey(value):
		r.fail("rpcUrl holds what may be a key: put the address into a secret of Secrets Manager, and name that in rpcSecret")
	}
	return value
}

// holdsKey reports whether any of the addresses has more than a host and a version.
func holdsKey(addresses string) bool {
	for _, address := range strings.Fields(addresses) {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || longPart.MatchString(u.Path) {
			return true
		}
	}
	return false
}

// longPart matches path segments that are longer than a word like "rpc" or "mainnet-beta".
var longPart = regexp.MustCompile(`[^/]{16,}`)

// readSecrets returns the rights to read the secrets in the variables of a function, and no other
// secrets.
func (s service) readSecrets(env map[string]*string) []awsiam.PolicyStatement {
	var arns []*string
	for _, row := range SecretRows {
		if _, reads := env[row.Variable]; reads {
			arns = append(arns, s.secretARN(s.settings.Secrets[row.Context]))
		}
	}
	if len(arns) == 0 {
		return nil
	}
	return []awsiam.PolicyStatement{allow([]string{"secretsmanager:GetSecretValue"}, arns...)}
}

// secretARN returns a secret's ARN for policies. If the name lacks the six random characters, the
// ARN has six wildcards, which match no other secret.
func (s service) secretARN(name string) *string {
	if strings.HasPrefix(name, "arn:") {
		return jsii.String(name)
	}
	return s.stack.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String("secretsmanager"), Resource: jsii.String("secret"),
		ResourceName: jsii.String(name + "-??????"), ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
	})
}

// setSecrets sets the variables of a group's secrets, except for unnamed secrets.
func (s service) setSecrets(env map[string]*string, group string) {
	for _, row := range SecretRows {
		if row.group == group {
			set(env, row.Variable, s.settings.Secrets[row.Context])
		}
	}
}

// node sets the variables of the Solana nodes.
func (s service) node(env map[string]*string) map[string]*string {
	set(env, "NETWORK", s.settings.Network)
	set(env, "RPC_URL", s.settings.RPCURL)
	s.setSecrets(env, secretsOfNodes)
	return env
}
