package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
)

// record is stack.json: the data for operators and programs to inspect the running stack.
type record struct {
	APIURL      string            `json:"apiUrl"`
	PageURL     string            `json:"pageUrl"`
	Chain       string            `json:"chain"` // the program that runs the chain
	RPCURL      string            `json:"rpcUrl"`
	WSURL       string            `json:"wsUrl"`
	AWSEndpoint string            `json:"awsEndpoint"`
	IPFSGateway string            `json:"ipfsGateway"`
	Region      string            `json:"region"`
	Treasury    string            `json:"treasury"`
	Market      string            `json:"market"`
	Guardian    string            `json:"guardian,omitempty"`    // the key that launches name
	GuardianURL string            `json:"guardianUrl,omitempty"` // empty without a guardian
	Token       string            `json:"token"`                 // the mint of the launched and distributed token; empty before
	Tables      map[string]string `json:"tables"`
	Functions   map[string]string `json:"functions"`
	Queues      map[string]string `json:"queues"`
	Buckets     map[string]string `json:"buckets"`
	Keys        map[string]string `json:"keys"`
	PIDs        map[string]int    `json:"pids"`
}

func (s *Stack) recordFile() string { return filepath.Join(s.options.Folder, "stack.json") }

// Record adds a token with a proven distribution to stack.json, by its mint.
func (s *Stack) Record(mint solana.PublicKey) error {
	s.token = mint.String()
	return s.writeRecord()
}

func (s *Stack) writeRecord() error {
	r := record{
		APIURL:      s.APIURL,
		PageURL:     s.APIURL + "/",
		Chain:       s.Chain.Name,
		RPCURL:      s.Chain.RPCURL,
		WSURL:       s.Chain.WSURL,
		AWSEndpoint: s.AWS.Endpoint,
		IPFSGateway: s.gatewayURL,
		Region:      ministack.Region,
		Treasury:    s.Treasury.String(),
		Market:      s.Market.String(),
		Token:       s.token,
		Tables:      s.Outputs.having("TableName"),
		Functions:   s.Outputs.Functions(),
		Queues:      s.Outputs.having("QueueUrl"),
		Buckets:     s.Outputs.having("BucketName"),
		Keys:        s.Outputs.having("KeyId"),
		PIDs: map[string]int{
			"runner":    os.Getpid(),
			"ministack": s.AWS.Process.Pid(),
			"chain":     s.Chain.Process.Pid(), // Surfpool's or the validator's
		},
	}
	if s.Guardian != nil {
		r.Guardian, r.GuardianURL = s.Guardian.Key.String(), s.Guardian.URL
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode stack.json: %w", err)
	}
	// Rename the file, so that a process that waits for the file reads the complete file.
	fresh := s.recordFile() + ".new"
	if err := os.WriteFile(fresh, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write stack.json: %w", err)
	}
	if err := os.Rename(fresh, s.recordFile()); err != nil {
		return fmt.Errorf("write stack.json: %w", err)
	}
	return nil
}
