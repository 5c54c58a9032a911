package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// repairCORS sets the stack's CORS configuration in MiniStack again. MiniStack's CloudFormation
// stores the template's spelling of the names (AllowOrigins), but its gateway reads the API's
// spelling (allowOrigins).
func (s *Stack) repairCORS(ctx context.Context) error {
	cors, err := s.templateCORS()
	if err != nil || cors == nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"corsConfiguration": cors})
	if err != nil {
		return fmt.Errorf("set CORS: %w", err)
	}
	address := s.AWS.Endpoint + "/v2/apis/" + s.Outputs.apiID()
	request, err := http.NewRequestWithContext(ctx, http.MethodPatch, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("set CORS: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	sign(request, "apigateway")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("set CORS: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("set CORS: MiniStack answers %s", response.Status)
	}
	return nil
}

// templateCORS returns the CORS configuration in the deployed template, with the API's spelling;
// nil if there is no configuration.
func (s *Stack) templateCORS() (map[string]any, error) {
	text, err := os.ReadFile(filepath.Join(s.assembly, s.name+".template.json"))
	if err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	var template struct {
		Resources map[string]struct {
			Type       string
			Properties struct{ CorsConfiguration map[string]any }
		}
	}
	if err := json.Unmarshal(text, &template); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	for _, resource := range template.Resources {
		if resource.Type != "AWS::ApiGatewayV2::Api" || resource.Properties.CorsConfiguration == nil {
			continue
		}
		cors := map[string]any{}
		for name, value := range resource.Properties.CorsConfiguration {
			cors[strings.ToLower(name[:1])+name[1:]] = value
		}
		return cors, nil
	}
	return nil, nil
}

// sign addresses a request to a service. MiniStack reads the service from the signature and does
// not verify the signature.
func sign(r *http.Request, service string) {
	now := time.Now().UTC()
	r.Header.Set("X-Amz-Date", now.Format("20060102T150405Z"))
	r.Header.Set("Authorization", fmt.Sprintf(
		"AWS4-HMAC-SHA256 Credential=test/%s/%s/%s/aws4_request, SignedHeaders=host;x-amz-date, Signature=%064d",
		now.Format("20060102"), ministack.Region, service, 0))
}
