package stack

import (
	"cmp"
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth"
)

// reader reads context values and collects errors. The values that were read are the known values,
// so read every value before a decision depends on another value.
type reader struct {
	context map[string]string
	known   []string
	errs    []error
}

func (r *reader) fail(format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("context value "+format, args...))
}

func (r *reader) text(name, fallback string) string {
	if !slices.Contains(r.known, name) {
		r.known = append(r.known, name)
	}
	value := r.context[name]
	if strings.Contains(value, "{{resolve:") {
		// CloudFormation would write the secret's value into the functions' settings, which have
		// more readers than the secret.
		r.fail("%s is a reference to a secret: name the secret itself, in rpcSecret or another of the values for that", name)
	}
	return cmp.Or(value, fallback)
}

// oneOf returns the value, which must be an allowed value. The first allowed value is the default.
func (r *reader) oneOf(name string, allowed ...string) string {
	value := r.text(name, allowed[0])
	if !slices.Contains(allowed, value) {
		r.fail("%s is %q: it must be one of %q", name, value, allowed)
	}
	return value
}

// list checks a list of allowed words, separated by commas and without duplicates.
func (r *reader) list(name, value string, allowed ...string) string {
	words := strings.Split(value, ",")
	if value != "" && (slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(allowed, word) }) || repeats(words)) {
		r.fail("%s is %q: it must be different ones of %q, with commas between", name, value, allowed)
	}
	return value
}

// exchanges reads the venues. The former name exchangeKind has "none" for no venue, and a plus sign
// between two venues.
func (r *reader) exchanges() string {
	list, former := r.text("exchanges", ""), r.text("exchangeKind", "")
	if list != "" && former != "" {
		r.fail("exchangeKind is a former name of exchanges: give one of them")
	}
	list = cmp.Or(list, strings.ReplaceAll(former, "+", ","))
	if list == "none" {
		return ""
	}
	var names []string
	for _, v := range venues {
		names = append(names, v.name)
	}
	return r.list("exchanges", list, names...)
}

// checkVenues rejects venues without the required address, and test venues on mainnet.
func (r *reader) checkVenues(s Settings) {
	var addressed []string
	for _, v := range venues {
		if !slices.Contains(strings.Split(s.Exchanges, ","), v.name) {
			continue
		}
		if v.needsURL {
			addressed = append(addressed, v.name)
		}
		if v.forTests && s.Network == networkMainnet {
			r.fail("exchanges is %q: %s exists for tests", s.Exchanges, v.name)
		}
	}
	switch {
	case len(addressed) > 1:
		r.fail("exchanges is %q: exchangeUrl is the address of one of %s", s.Exchanges, strings.Join(addressed, " and "))
	case len(addressed) == 1 && s.ExchangeURL == "":
		r.fail("exchangeUrl is not set: give the address for exchanges, which is %q", s.Exchanges)
	}
}

// checkGuardian rejects a guardian that is named in part.
func (r *reader) checkGuardian(s Settings) {
	if s.GuardianKey == "" && s.GuardianURL == "" && s.Secrets[guardianSecret] == "" {
		return
	}
	if s.GuardianKey == "" || s.GuardianURL == "" || s.Secrets[guardianSecret] == "" {
		r.fail("give all of guardianKey, guardianUrl and %s, or none", guardianSecret)
		return
	}
	r.wallet("guardianKey")
	if !s.Local() && !strings.HasPrefix(s.GuardianURL, "https:") {
		r.fail("guardianUrl is %q: it must begin with https", s.GuardianURL)
	}
}

// PinsWithSecret returns the preferred pinning service whose secret is among secrets, and ""
// without such a service.
func PinsWithSecret(secrets map[string]string) string {
	for _, service := range pinningServices {
		if secrets[service.needs] != "" {
			return service.name
		}
	}
	return ""
}

// pins reads the pinning services, and rejects a service without its required value.
func (r *reader) pins() string {
	var names, values []string
	for _, service := range pinningServices {
		names, values = append(names, service.name), append(values, service.needs)
	}
	list := r.list("pins", r.text("pins", ""), names...)
	given := false
	for _, service := range pinningServices {
		if r.text(service.needs, "") != "" {
			given = true
		} else if slices.Contains(strings.Split(list, ","), service.name) {
			r.fail("%s is not set: give it for pins, which is %q", service.needs, list)
		}
	}
	if !given {
		r.fail("pins has no service: give one of %s", strings.Join(values, ", "))
	}
	return list
}

// address omits the value in errors, because an address may contain a password.
func (r *reader) address(name, fallback string) string {
	value := r.text(name, fallback)
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		r.fail("%s is not an http or https address", name)
	} else if u.User != nil && r.context["stage"] != StageLocal {
		r.fail("%s holds a password, and every reader of the functions' settings can see it", name)
	}
	return value
}

// origins reads origins of pages, separated by commas.
func (r *reader) origins(name string) string {
	value := r.text(name, "")
	if value == "" {
		return ""
	}
	for _, origin := range strings.Split(value, ",") {
		switch err := auth.CheckOrigin(origin); {
		case err != nil:
			r.fail("%s: %v", name, err)
		case strings.HasPrefix(origin, "http:") && r.context["stage"] != StageLocal:
			r.fail("%s has %s: on any stage but the local one it must be https", name, origin)
		}
	}
	return value
}

// wallet reads the address of a wallet. The receiver of money has no default.
func (r *reader) wallet(name string) string {
	value := r.text(name, "")
	if value == "" {
		r.fail("%s is not set: give the address of the wallet", name)
	} else if key, err := solana.PublicKeyFromBase58(value); err != nil || key.IsZero() {
		r.fail("%s is %q: it must be the address of a wallet, 32 bytes in base58", name, value)
	}
	return value
}

func (r *reader) number(name string, fallback int) int {
	value := r.text(name, strconv.Itoa(fallback))
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		r.fail("%s is %q: it must be a whole number, zero or more", name, value)
	}
	return n
}

var (
	hostName       = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$`)
	certificateARN = regexp.MustCompile(`^arn:aws[a-z-]*:acm:[a-z0-9-]+:[0-9]{12}:certificate/[A-Za-z0-9-]+$`)
	topicARN       = regexp.MustCompile(`^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}$`)
)

// checkAlarms checks the receivers of alarms.
func (r *reader) checkAlarms(s Settings) {
	if s.AlarmTopic != "" && !topicARN.MatchString(s.AlarmTopic) {
		r.fail("alarmTopic is %q: it must be the ARN of an SNS topic, arn:aws:sns:<region>:<account>:<name>", s.AlarmTopic)
	}
	if s.MonthlyBudget > 0 && s.AlarmTopic == "" && s.AlarmEmail == "" {
		r.fail("monthlyBudget is %d, and no subscriber is notified of it: set alarmEmail or alarmTopic", s.MonthlyBudget)
	}
	if s.AccountConcurrency == 0 {
		r.fail("accountConcurrency is 0: it must be the account's quota of concurrent executions, 1 or more")
	}
	if s.AlarmEmail == "" {
		return
	}
	if address, err := mail.ParseAddress(s.AlarmEmail); err != nil || address.Address != s.AlarmEmail {
		r.fail("alarmEmail is %q: it must be one e-mail address and nothing else", s.AlarmEmail)
	}
	if s.AlarmTopic != "" {
		r.fail("alarmEmail is set, and alarmTopic too: give one of them, and subscribe the address to your topic")
	}
}

// checkNames checks the domain names and dependent values.
func (r *reader) checkNames(s Settings) {
	for _, n := range []struct{ key, name, certificateKey, certificate string }{
		{"domainName", s.DomainName, "certificateArn", s.CertificateARN},
		{"imageDomain", s.ImageDomain, "imageCertificateArn", s.ImageCertificateARN},
	} {
		switch {
		case n.name == "" && n.certificate != "":
			r.fail("%s is not set, and %s is: give the name that the certificate is for", n.key, n.certificateKey)
		case n.name != "" && n.certificate == "":
			r.fail("%s is not set: give the ARN of the certificate of %s", n.certificateKey, n.name)
		}
		if n.name != "" && !hostName.MatchString(n.name) {
			r.fail("%s is %q: it must be a host name in lower case, such as api.example.com", n.key, n.name)
		}
		if n.certificate != "" && !certificateARN.MatchString(n.certificate) {
			r.fail("%s is %q: it must be the ARN of a certificate, arn:aws:acm:<region>:<account>:certificate/<id>", n.certificateKey, n.certificate)
		}
		if s.HostedZoneName != "" && n.name != "" && n.name != s.HostedZoneName && !strings.HasSuffix(n.name, "."+s.HostedZoneName) {
			r.fail("%s is %q: it must be in the zone %s of hostedZoneName", n.key, n.name, s.HostedZoneName)
		}
	}
	if certificateARN.MatchString(s.ImageCertificateARN) && strings.Split(s.ImageCertificateARN, ":")[3] != "us-east-1" {
		r.fail("imageCertificateArn is %q: CloudFront wants its certificate in us-east-1", s.ImageCertificateARN)
	}
	if s.ImageDomain != "" && s.profile().images == edgesNone {
		r.fail("imageDomain is %q: on the stage %s there is no CloudFront", s.ImageDomain, s.Stage)
	}
	if (s.HostedZoneID == "") != (s.HostedZoneName == "") {
		r.fail("hostedZoneId is %q and hostedZoneName is %q: give both or none", s.HostedZoneID, s.HostedZoneName)
	}
	if s.HostedZoneID != "" && s.DomainName == "" && s.ImageDomain == "" {
		r.fail("hostedZoneId is set: give the name for it in domainName or imageDomain")
	}
	if s.HostedZoneName != "" && !hostName.MatchString(s.HostedZoneName) {
		r.fail("hostedZoneName is %q: it must be a host name in lower case, such as example.com", s.HostedZoneName)
	}
	if address, err := url.Parse(s.PublicURL); err == nil && s.PublicURL != "" && !s.Local() && address.Scheme != "https" {
		r.fail("publicUrl begins with %s: it must be an https address on the stage %s", address.Scheme, s.Stage)
	}
	if s.DomainName != "" && s.PublicURL != "" && s.PublicURL != "https://"+s.DomainName {
		r.fail("publicUrl is not https://%s: with domainName leave it out", s.DomainName)
	}
}

// checkExplicit checks the values that a stage must state, because a wrong default would be costly.
func (r *reader) checkExplicit(s Settings) {
	if !s.profile().explicit {
		return
	}
	if network := r.context["network"]; network != networkDevnet && network != networkMainnet {
		r.fail("network is %q: the stage %s must be told: devnet or mainnet", network, s.Stage)
	}
	if s.AlarmTopic == "" && s.AlarmEmail == "" {
		r.fail("alarmTopic is not set: on the stage %s an operator must hear alarms: give the ARN of an SNS topic, or an address in alarmEmail", s.Stage)
	}
	if s.PublicURL == "" && s.DomainName == "" {
		r.fail("publicUrl is not set: give the address that callers of the stage %s use, or domainName with certificateArn", s.Stage)
	}
}

// checkUnknown rejects unknown values, because a misspelled value would silently leave the default.
// CDK's own values contain characters that our names do not contain.
func (r *reader) checkUnknown() {
	known := slices.Sorted(slices.Values(r.known))
	for _, name := range slices.Sorted(maps.Keys(r.context)) {
		if slices.Contains(known, name) || strings.ContainsAny(name, "@:") {
			continue
		}
		nearest := slices.MaxFunc(known, func(a, b string) int {
			return cmp.Compare(levenshtein.Similarity(name, a, nil), levenshtein.Similarity(name, b, nil))
		})
		r.fail("%s is not known: is %s meant? There are %s", name, nearest, strings.Join(known, ", "))
	}
}
