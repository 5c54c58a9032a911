package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront/types"
)

// naming removes names from CloudFront's distributions, so that the distributions of another stack
// can have the names. A name belongs to one distribution of all accounts. CloudFront is in no
// Region, so naming works while the Region of the old stack is down.
type naming struct {
	edges *cloudfront.Client
	out   io.Writer
}

func newNaming(config aws.Config, out io.Writer) naming {
	return naming{cloudfront.NewFromConfig(config), out}
}

// free removes each name from its distribution. A name without a distribution is already free.
func (n naming) free(ctx context.Context, names []string) error {
	holders := map[string]string{}
	pages := cloudfront.NewListDistributionsPaginator(n.edges, &cloudfront.ListDistributionsInput{})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("list the distributions: %w", err)
		}
		for _, d := range page.DistributionList.Items {
			for _, alias := range aliases(d.Aliases) {
				holders[alias] = aws.ToString(d.Id)
			}
		}
	}
	for _, name := range names {
		id, held := holders[name]
		said := "no distribution of this account has it"
		if held {
			said = "taken off " + id
			if err := n.takeOff(ctx, id, name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if _, err := fmt.Fprintf(n.out, "%s: %s\n", name, said); err != nil {
			return err //nolint:wrapcheck // of the terminal
		}
	}
	return nil
}

// takeOff fails if another operator has changed the distribution concurrently. It is idempotent.
func (n naming) takeOff(ctx context.Context, id, name string) error {
	read, err := n.edges.GetDistributionConfig(ctx, &cloudfront.GetDistributionConfigInput{Id: &id})
	if err != nil {
		return fmt.Errorf("read the distribution %s: %w", id, err)
	}
	config := read.DistributionConfig
	left := slices.DeleteFunc(aliases(config.Aliases), func(alias string) bool { return alias == name })
	config.Aliases = &types.Aliases{Quantity: aws.Int32(int32(len(left))), Items: left} //nolint:gosec // a few names
	if len(left) == 0 {
		config.ViewerCertificate = &types.ViewerCertificate{CloudFrontDefaultCertificate: aws.Bool(true)}
	}
	_, err = n.edges.UpdateDistribution(ctx, &cloudfront.UpdateDistributionInput{Id: &id, IfMatch: read.ETag, DistributionConfig: config})
	var meanwhile *types.PreconditionFailed
	if errors.As(err, &meanwhile) {
		return fmt.Errorf("the distribution %s has changed meanwhile, run this again: %w", id, err)
	}
	if err != nil {
		return fmt.Errorf("take the name off the distribution %s: %w", id, err)
	}
	return nil
}

func aliases(a *types.Aliases) []string {
	if a == nil {
		return nil
	}
	return a.Items
}
