package stack

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/jsii-runtime-go"
)

// Secrets names secrets of AWS Secrets Manager, in the account and region of the stack: the
// context value of a row of SecretRows, and the secret's name or whole ARN. A secret that the
// operator has not named is absent or empty. The stack makes none of them and never sees a value.
type Secrets map[string]string

var (
	secretName = regexp.MustCompile(`^[A-Za-z0-9/_+=.@-]{1,512}$`)
	// secretARN is a whole one: Secrets Manager puts six random characters after the
	// name.
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

// setSecrets names the secrets of a group in their variables, except those that the operator has
// not named.
func (s service) setSecrets(env map[string]*string, group string) {
	for _, row := range SecretRows {
		if row.group == group {
			set(env, row.Variable, s.settings.Secrets[row.Context])
		}
	}
}

// node says where the Solana nodes are.
func (s service) node(env map[string]*string) map[string]*string {
	set(env, "NETWORK", s.settings.Network)
	set(env, "RPC_URL", s.settings.RPCURL)
	s.setSecrets(env, secretsOfNodes)
	return env
}
