package deployed

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

// Credentials returns a session of the function's role, like the session of Lambda's processes. A
// role trusts only Lambda, so Credentials first adds the account to the role's trust policy.
// Therefore Credentials works only on the local AWS.
func (f Function) Credentials(ctx context.Context, cfg aws.Config, valid time.Duration) (aws.Credentials, error) {
	if err := CheckLocal(aws.ToString(cfg.BaseEndpoint)); err != nil {
		return aws.Credentials{}, err
	}
	if err := f.letAccountIn(ctx, iam.NewFromConfig(cfg)); err != nil {
		return aws.Credentials{}, fmt.Errorf("open the role of %s: %w", f.Name, err)
	}
	// MiniStack's own processes have this session name, too.
	out, err := sts.NewFromConfig(cfg).AssumeRole(ctx, &sts.AssumeRoleInput{
		RoleArn: &f.Role, RoleSessionName: aws.String(f.Physical[:min(len(f.Physical), 64)]),
		DurationSeconds: aws.Int32(int32(valid / time.Second)), //nolint:gosec // hours
	})
	if err != nil {
		return aws.Credentials{}, fmt.Errorf("take the role of %s: %w", f.Name, err)
	}
	return aws.Credentials{
		AccessKeyID:     aws.ToString(out.Credentials.AccessKeyId),
		SecretAccessKey: aws.ToString(out.Credentials.SecretAccessKey),
		SessionToken:    aws.ToString(out.Credentials.SessionToken),
	}, nil
}

// localTrust marks our statement in the role's policy.
const localTrust = "LocalProcesses"

// letAccountIn lets the account assume the role.
func (f Function) letAccountIn(ctx context.Context, client *iam.Client) error {
	name := f.Role[strings.LastIndex(f.Role, "/")+1:]
	role, err := client.GetRole(ctx, &iam.GetRoleInput{RoleName: &name})
	if err != nil {
		return err
	}
	text, err := url.QueryUnescape(aws.ToString(role.Role.AssumeRolePolicyDocument))
	if err != nil {
		return err
	}
	if strings.Contains(text, localTrust) {
		return nil
	}
	var policy struct {
		Version   string
		Statement []any
	}
	if err := json.Unmarshal([]byte(text), &policy); err != nil {
		return fmt.Errorf("read whom the role trusts: %w", err)
	}
	account := strings.Split(f.Role, ":")[4]
	policy.Statement = append(policy.Statement, map[string]any{
		"Sid": localTrust, "Effect": "Allow", "Action": "sts:AssumeRole",
		"Principal": map[string]string{"AWS": "arn:aws:iam::" + account + ":root"},
	})
	changed, err := json.Marshal(policy)
	if err != nil {
		return err
	}
	_, err = client.UpdateAssumeRolePolicy(ctx, &iam.UpdateAssumeRolePolicyInput{
		RoleName: &name, PolicyDocument: aws.String(string(changed)),
	})
	return err
}
