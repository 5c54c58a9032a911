declare module 'virtual:intervals' {
  const intervals: readonly import('tokenlaunch/api').Schemas['Interval'][];
  export default intervals;
}

declare module 'virtual:delays' {
  const delays: readonly import('tokenlaunch/api').Schemas['DistributionSettings']['changeDelay'][];
  export default delays;
}

declare module 'virtual:schemas' {
  const document: import('./form/document').Document;
  export default document;
}

declare module 'virtual:events' {
  const words: Readonly<Record<import('tokenlaunch/api').Schemas['WebhookEvent'], string>>;
  export default words;
}
