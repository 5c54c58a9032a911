// Says who asks: whatever the caller sent in that header is gone. CloudFront runs it.
function handler(event) {
  event.request.headers['x-viewer-address'] = { value: event.viewer.ip };
  return event.request;
}
