// Creates the bucket that S3_BUCKET names, where it is missing: node deploy/create-bucket.mjs
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { S3_BUCKET: Bucket, S3_ENDPOINT: endpoint, S3_REGION: region = 'us-east-1' } = process.env;
const client = new S3Client({ region, ...(endpoint && { endpoint, forcePathStyle: true }) });
try {
  await client.send(new HeadBucketCommand({ Bucket }));
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await client.send(new CreateBucketCommand({ Bucket }));
}
