// Package aws is the layer of adapters to AWS, with one package for each service: DynamoDB's
// tables, S3, SQS, KMS, Lambda, Secrets Manager, and the configuration of clients. The adapters
// implement interfaces of the domain.
//
// The layer imports platform, solana, token, proof, launch, distribution and market.
package aws
