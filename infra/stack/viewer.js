// Says who asks: whatever the caller sent in that header is gone. And says whether a browser
// navigates, in place of the many ways in which browsers write it, so that all of them share what
// is cached. CloudFront runs it.
function handler(event) {
  var headers = event.request.headers;
  headers['x-viewer-address'] = { value: event.viewer.ip };
  var accept = headers.accept ? headers.accept.value.toLowerCase() : '';
  headers.accept = { value: /(^|,)\s*text\/html\s*(,|;|$)/.test(accept) ? 'text/html' : '*/*' };
  return event.request;
}
