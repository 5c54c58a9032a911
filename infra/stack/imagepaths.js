// Runs in CloudFront before its cache (runtime cloudfront-js-2.0). It gives what may be
// asked for the name that it has in the bucket, and answers everything else itself, so
// that nothing else is ever looked for there:
//
//   /ipfs/<content id>                 a picture, at the address that an IPFS gateway has
//   /proofs/<content id>.csv|json|tx   the proof of a distribution, as `verify` reads it
//
// A content id names bytes: raw, SHA-256, in base32.
var picture = /^\/ipfs\/(bafkrei[a-z2-7]{52})$/;
var proof = /^\/proofs\/bafkrei[a-z2-7]{52}\.(csv|json|tx)$/;

function handler(event) {
  var request = event.request;
  var found = picture.exec(request.uri);
  if (found) {
    request.uri = '/images/' + found[1] + '.jpg';
    return request;
  }
  if (proof.test(request.uri)) {
    return request;
  }
  return { statusCode: 404, statusDescription: 'Not Found' };
}
