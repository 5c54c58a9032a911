package main

// Prices in dollars, on demand, of the Region us-east-1, without free tiers. The source is AWS's
// public pricing pages at the time of writing. Check the prices of your Region before you rely on
// the tables.
const (
	priceWrite      = 0.625 / million // DynamoDB, a write request unit
	priceRead       = 0.125 / million // DynamoDB, a read request unit
	priceGateway    = 1.00 / million  // API Gateway, a request of an HTTP API
	priceEdge       = 1.00 / million  // CloudFront, a request by HTTPS in North America
	priceViewer     = 0.10 / million  // CloudFront, a call of a function at the edge
	priceInspected  = 0.60 / million  // WAF, a request
	priceACL        = 5.00            // WAF, a web ACL a month
	priceRule       = 1.00            // WAF, a rule of one a month
	priceInvocation = 0.20 / million  // Lambda, a call
	priceGBSecond   = 0.0000133334    // Lambda, a second with 1 GB on arm64
	priceMessage    = 0.40 / million  // SQS, a request
	pricePut        = 5.00 / million  // S3, a PUT
	priceGet        = 0.40 / million  // S3, a GET
	priceStoredGB   = 0.023           // S3, a month
	priceMAC        = 3.00 / million  // KMS, a request with an HMAC key
	priceSign       = 15.00 / million // KMS, a signature with an elliptic curve
	priceLogGB      = 0.50            // CloudWatch Logs, ingested
	priceKey        = 1.00            // KMS, a month; each Region counts
	priceSecret     = 0.40            // Secrets Manager, a month
	priceSecretCall = 5.00 / million  // Secrets Manager, a request
	priceMetric     = 0.30            // CloudWatch, a month
	priceAlarm      = 0.10            // CloudWatch, a month
	pricePage       = 0.50            // CloudWatch, a composite alarm, a month
	priceDashboard  = 3.00            // CloudWatch, a month
	priceTableGB    = 0.25            // DynamoDB, a month
	priceRecoveryGB = 0.20            // DynamoDB point-in-time recovery, a month
	priceBackupGB   = 0.10            // AWS Backup of DynamoDB, warm, a month
	priceRegionGB   = 0.02            // what goes to another Region of the continent
	priceRTCGB      = 0.015           // S3's replication time control
	priceEdgeGB     = 0.085           // CloudFront, to viewers in North America
	million         = 1_000_000.0
	lamportsPerSOL  = 1_000_000_000.0
	bytesPerGB      = 1_000_000_000.0
	secondsPerDay   = 24 * 60 * 60
	daysPerMonth    = 30.0
)
