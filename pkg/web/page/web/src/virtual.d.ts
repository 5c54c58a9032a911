declare module 'virtual:intervals' {
  const intervals: readonly import('tokenlaunch/api').Schemas['Interval'][];
  export default intervals;
}

declare module 'virtual:schemas' {
  const document: import('./launch/document').Document;
  export default document;
}
