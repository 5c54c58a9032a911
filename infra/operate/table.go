package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// restored sets the settings that a table loses in a restore: time to live, point-in-time recovery,
// protection from deletion and tags are not part of a backup (Amazon DynamoDB Developer Guide,
// "Restoring a table"). Keys and indexes are part of a backup, and are compared with the schema.
type restored struct {
	tables *dynamodb.Client
	out    io.Writer
}

func newRestored(config aws.Config, out io.Writer) restored {
	return restored{dynamodb.NewFromConfig(config), out}
}

// serviceTag is the tag that selects the service's resources for costs and rights.
const serviceTag, serviceName = "service", "token-launch"

var (
	errNotReady  = errors.New("the table is not ready")
	errNotSchema = errors.New("it is not a table of this kind")
)

// setting is a setting that a restored table has lost.
type setting struct {
	name string
	good bool
	set  func(ctx context.Context) error
}

// ready prepares a table for adoption by a stack, or lists the missing settings.
func (r restored) ready(ctx context.Context, name string, want schema.Table, fix bool) error {
	table, err := r.active(ctx, name)
	if err != nil {
		return err
	}
	if err := compare(table, want); err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	settings, err := r.settings(ctx, name, table)
	if err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	missing := 0
	for _, s := range settings {
		state := "is set"
		switch {
		case s.good:
		case fix:
			if err := s.set(ctx); err != nil {
				return fmt.Errorf("table %s: set %s: %w", name, s.name, err)
			}
			state = "was missing; now it is set"
		default:
			missing++
			state = "IS MISSING"
		}
		if _, err := fmt.Fprintf(r.out, "%s: %s %s\n", name, s.name, state); err != nil {
			return err //nolint:wrapcheck // of the terminal
		}
	}
	if missing > 0 {
		return fmt.Errorf("table %s lacks %d settings: %w", name, missing, errNotReady)
	}
	return nil
}

// A restored table becomes active after minutes, a large table after hours.
const (
	activeWithin = 12 * time.Hour
	activePause  = 2 * time.Second
)

// active waits until the table is active.
func (r restored) active(ctx context.Context, name string) (types.TableDescription, error) {
	for deadline := time.Now().Add(activeWithin); ; {
		out, err := r.tables.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			return types.TableDescription{}, fmt.Errorf("describe table %s: %w", name, err)
		}
		if out.Table.TableStatus == types.TableStatusActive {
			return *out.Table, nil
		}
		if time.Now().After(deadline) {
			return types.TableDescription{}, fmt.Errorf("table %s is %s: %w", name, out.Table.TableStatus, errNotReady)
		}
		select {
		case <-ctx.Done():
			return types.TableDescription{}, fmt.Errorf("wait for table %s, which is %s: %w", name, out.Table.TableStatus, ctx.Err())
		case <-time.After(activePause):
		}
	}
}

// compare compares a table with the schema.
func compare(table types.TableDescription, want schema.Table) error {
	if got := keyOf(table.KeySchema); !slices.Equal(got, []string{schema.PartitionKey, schema.SortKey}) {
		return fmt.Errorf("its key is %q: %w", got, errNotSchema)
	}
	for _, index := range want.Indexes {
		i := slices.IndexFunc(table.GlobalSecondaryIndexes, func(g types.GlobalSecondaryIndexDescription) bool {
			return aws.ToString(g.IndexName) == index.Name
		})
		if i < 0 {
			return fmt.Errorf("it has no index %q, restore it with its indexes: %w", index.Name, errNotSchema)
		}
		if got := keyOf(table.GlobalSecondaryIndexes[i].KeySchema); !slices.Equal(got, []string{index.PartitionKey, index.SortKey}) {
			return fmt.Errorf("the key of its index %q is %q: %w", index.Name, got, errNotSchema)
		}
	}
	return nil
}

func keyOf(elements []types.KeySchemaElement) []string {
	var names []string
	for _, e := range elements {
		names = append(names, aws.ToString(e.AttributeName))
	}
	return names
}

// settings reads the table's settings.
func (r restored) settings(ctx context.Context, name string, table types.TableDescription) ([]setting, error) {
	ttl, err := r.tables.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err != nil {
		return nil, fmt.Errorf("read the time to live: %w", err)
	}
	backups, err := r.tables.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &name})
	if err != nil {
		return nil, fmt.Errorf("read the point-in-time recovery: %w", err)
	}
	tags, err := r.tables.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: table.TableArn})
	if err != nil {
		return nil, fmt.Errorf("read the tags: %w", err)
	}
	expires := ttl.TimeToLiveDescription
	enabled := expires.TimeToLiveStatus == types.TimeToLiveStatusEnabled || expires.TimeToLiveStatus == types.TimeToLiveStatusEnabling
	recovery := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	return []setting{
		{"time to live (" + schema.ExpiresAt + ")", enabled && aws.ToString(expires.AttributeName) == schema.ExpiresAt, func(ctx context.Context) error {
			_, err := r.tables.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
				TableName:               &name,
				TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(schema.ExpiresAt), Enabled: aws.Bool(true)},
			})
			return err //nolint:wrapcheck // ready says of what
		}},
		{"point-in-time recovery", recovery != nil && recovery.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled, func(ctx context.Context) error {
			_, err := r.tables.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
				TableName:                        &name,
				PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)},
			})
			return err //nolint:wrapcheck // ready says of what
		}},
		{"deletion protection", aws.ToBool(table.DeletionProtectionEnabled), func(ctx context.Context) error {
			_, err := r.tables.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &name, DeletionProtectionEnabled: aws.Bool(true)})
			return err //nolint:wrapcheck // ready says of what
		}},
		{"tag " + serviceTag, slices.ContainsFunc(tags.Tags, func(t types.Tag) bool { return aws.ToString(t.Key) == serviceTag }), func(ctx context.Context) error {
			_, err := r.tables.TagResource(ctx, &dynamodb.TagResourceInput{
				ResourceArn: table.TableArn, Tags: []types.Tag{{Key: aws.String(serviceTag), Value: aws.String(serviceName)}},
			})
			return err //nolint:wrapcheck // ready says of what
		}},
	}, nil
}
