declare module 'virtual:schemas' {
  const document: import('./launch/document').Document;
  export default document;
}
