// Package aws is the room for the adapters to AWS, a package for each service: DynamoDB's
// tables, S3, SQS, KMS, Lambda, Secrets Manager, and how their clients are set up. They
// implement interfaces that the domain declares.
//
// It imports platform, solana, token, proof, launch, distribution and market.
package aws
