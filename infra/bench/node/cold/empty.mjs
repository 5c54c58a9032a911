// The clients that the functions use, and an answer to an empty event.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { address } from '@solana/kit';
import { serve } from './runtime.mjs';

const clients = [new DynamoDBClient(), new KMSClient(), new S3Client()];
serve(async () => ({ clients: clients.length, owner: address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb') }));
