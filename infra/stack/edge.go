package stack

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"tokenlaunch.example/service/pkg/api/apigw"
)

const (
	// edgeRegion is the Region of CloudFront's web ACLs and of IAM's events.
	edgeRegion = "us-east-1"
	// edgeSuffix is the suffix of the edge's stack.
	edgeSuffix = "-edge"
)

// floods are the rules that block an address before the gateway, whose throttle is common to all
// callers. The limits far exceed the requests of a page's visitor, because many visitors may share
// an address. Package ratelimit limits the single callers.
var floods = []struct {
	name  string
	limit int // requests of an address in a window
	// writes reports whether only writes count: neither reads nor preflight requests.
	writes bool
}{
	{name: "Writes", limit: 120, writes: true},
	{name: "Requests", limit: 600},
}

// floodWindow is the window of the web ACL's counts, the minimum of WAF.
const floodWindow = time.Minute

// readMethods are the methods that do not count as writes.
var readMethods = []string{http.MethodGet, http.MethodHead, http.MethodOptions}

// NewEdge adds the stack of the resources in us-east-1, <name of the service's stack>-edge: the web
// ACL of CloudFront and, with all alarms, the alarm on roles. It returns nil without a web ACL.
// Deploy this stack before the service's stack, which needs the ACL's ARN.
func NewEdge(scope constructs.Construct, settings Settings) awscdk.Stack {
	if !settings.WAF {
		return nil
	}
	settings.AlarmTopic = settings.EdgeAlarmTopic
	s := service{settings: settings, watched: &watched{}, stack: awscdk.NewStack(scope, jsii.String(settings.Name+edgeSuffix), &awscdk.StackProps{
		Description: jsii.String("The edge of the token launch service, " + settings.Stage),
		Tags:        &map[string]*string{"service": jsii.String("token-launch"), "stage": jsii.String(settings.Stage)},
		Env:         &awscdk.Environment{Region: jsii.String(edgeRegion)},

		TerminationProtection: jsii.Bool(settings.profile().protects),
	})}
	s.output("WebAclArn", s.newWebACL().AttrArn())
	if settings.watchesAll() {
		s.alarmTopic = s.newAlarmTopic()
		s.alarms = alarms{s.stack, s.alarmTopic}
		s.watchRoles()
		s.watchTrail()
	}
	return s.stack
}

func (s service) newWebACL() awswafv2.CfnWebACL {
	bodies := map[string]any{}
	var rules []any
	for i, f := range floods {
		header, body := apigw.Blocked(f.limit, floodWindow)
		bodies[f.name] = awswafv2.CfnWebACL_CustomResponseBodyProperty{ContentType: jsii.String("APPLICATION_JSON"), Content: jsii.String(body)}
		statement := &awswafv2.CfnWebACL_RateBasedStatementProperty{
			AggregateKeyType: jsii.String("IP"), Limit: jsii.Number(f.limit), EvaluationWindowSec: jsii.Number(floodWindow.Seconds()),
		}
		if f.writes {
			statement.ScopeDownStatement = notOf(readMethods)
		}
		rules = append(rules, awswafv2.CfnWebACL_RuleProperty{
			Name: jsii.String(f.name), Priority: jsii.Number(i), VisibilityConfig: seen(f.name),
			Statement: &awswafv2.CfnWebACL_StatementProperty{RateBasedStatement: statement},
			Action: &awswafv2.CfnWebACL_RuleActionProperty{Block: &awswafv2.CfnWebACL_BlockActionProperty{
				CustomResponse: &awswafv2.CfnWebACL_CustomResponseProperty{
					ResponseCode: jsii.Number(http.StatusTooManyRequests), CustomResponseBodyKey: jsii.String(f.name), ResponseHeaders: headersOf(header),
				},
			}},
		})
	}
	return awswafv2.NewCfnWebACL(s.stack, jsii.String("WebAcl"), &awswafv2.CfnWebACLProps{
		Scope: jsii.String("CLOUDFRONT"), Description: jsii.String("Holds off single addresses"),
		DefaultAction:        &awswafv2.CfnWebACL_DefaultActionProperty{Allow: &awswafv2.CfnWebACL_AllowActionProperty{}},
		CustomResponseBodies: bodies, Rules: rules, VisibilityConfig: seen("WebAcl"),
	})
}

// headersOf returns the headers of a response in WAF's format, with the CORS headers that let pages
// read the response. WAF accepts at most ten.
func headersOf(header http.Header) (all []any) {
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", strings.Join(responseHeaders, ","))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		all = append(all, awswafv2.CfnWebACL_CustomHTTPHeaderProperty{Name: jsii.String(name), Value: jsii.String(header.Get(name))})
	}
	return all
}

// notOf matches requests with other methods.
func notOf(methods []string) any {
	var matches []any
	for _, method := range methods {
		matches = append(matches, awswafv2.CfnWebACL_StatementProperty{ByteMatchStatement: &awswafv2.CfnWebACL_ByteMatchStatementProperty{
			FieldToMatch:         &awswafv2.CfnWebACL_FieldToMatchProperty{Method: map[string]any{}},
			PositionalConstraint: jsii.String("EXACTLY"), SearchString: jsii.String(method),
			TextTransformations: []any{awswafv2.CfnWebACL_TextTransformationProperty{Priority: jsii.Number(0), Type: jsii.String("NONE")}},
		}})
	}
	return &awswafv2.CfnWebACL_StatementProperty{NotStatement: &awswafv2.CfnWebACL_NotStatementProperty{
		Statement: &awswafv2.CfnWebACL_StatementProperty{OrStatement: &awswafv2.CfnWebACL_OrStatementProperty{Statements: matches}},
	}}
}

// seen enables the metrics of a rule. AWS stores samples for three hours, which show blocked
// addresses.
func seen(name string) *awswafv2.CfnWebACL_VisibilityConfigProperty {
	return &awswafv2.CfnWebACL_VisibilityConfigProperty{
		CloudWatchMetricsEnabled: jsii.Bool(true), SampledRequestsEnabled: jsii.Bool(true), MetricName: jsii.String(name),
	}
}

// inEdgeRegion reports whether a topic can receive the alarms of the edge's stack.
func inEdgeRegion(topic string) bool { return strings.Contains(topic, ":sns:"+edgeRegion+":") }

// frontOf reads the settings of the front, and checks dependent settings.
func (r *reader) frontOf(s *Settings) {
	fallback := s.profile().front
	s.Front = r.oneOf("front", strconv.FormatBool(fallback), strconv.FormatBool(!fallback)) == "true"
	walled := s.Front && s.size().waf
	s.WAF = r.oneOf("waf", strconv.FormatBool(walled), strconv.FormatBool(!walled)) == "true"
	s.EdgeAlarmTopic = r.text("edgeAlarmTopic", "")
	switch {
	case s.Front && s.profile().images == edgesNone:
		r.fail("front is true: on the stage %s there is no CloudFront", s.Stage)
	case !s.Front && fallback && s.Network == networkMainnet:
		r.fail("front is false: on mainnet nothing would hold off one machine that asks too often, and no alarm would ring for new roles")
	}
	switch {
	case s.WAF && !s.Front:
		r.fail("waf is true: the web ACL belongs to CloudFront, and front is false")
	case !s.WAF && s.Front && s.size().wafRequired:
		r.fail("waf is false: only with the profile small may it be left out")
	}
	if s.EdgeAlarmTopic != "" && (!topicARN.MatchString(s.EdgeAlarmTopic) || !inEdgeRegion(s.EdgeAlarmTopic)) {
		r.fail("edgeAlarmTopic is %q: it must be the ARN of an SNS topic in %s", s.EdgeAlarmTopic, edgeRegion)
	}
	if s.EdgeAlarmTopic == "" && inEdgeRegion(s.AlarmTopic) {
		s.EdgeAlarmTopic = s.AlarmTopic
	}
	if s.WAF && s.watchesAll() && s.profile().explicit && s.AlarmTopic != "" && s.EdgeAlarmTopic == "" {
		r.fail("edgeAlarmTopic is not set: alarms on roles ring in %s, and alarmTopic is not there", edgeRegion)
	}
	if s.Front && certificateARN.MatchString(s.CertificateARN) && strings.Split(s.CertificateARN, ":")[3] != edgeRegion {
		r.fail("certificateArn is %q: CloudFront serves the API, and needs its certificate in %s", s.CertificateARN, edgeRegion)
	}
}
