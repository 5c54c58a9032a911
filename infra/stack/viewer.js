// Names the viewer's address: a value of the caller in that header is lost. Reduces Accept to the
// two types that choose a response, HTML and CSV, so that all callers share the cached responses.
// CloudFront runs the function.
function handler(event) {
  var headers = event.request.headers;
  headers['x-viewer-address'] = { value: event.viewer.ip };
  var accept = headers.accept ? headers.accept.value.toLowerCase() : '';
  var type = /(^|,)\s*(text\/(html|csv))\s*(,|;|$)/.exec(accept);
  headers.accept = { value: type ? type[2] : '*/*' };
  return event.request;
}
