// Import this before anything that reads the page's configuration.
const script = document.createElement('script');
script.type = 'application/json';
script.id = 'config';
script.textContent = JSON.stringify({
  network: 'devnet',
  stage: 'test',
  apiUrl: 'http://localhost',
  rpcUrl: 'http://node.test',
  filesUrl: '',
  explorer: { transaction: 'https://explorer.test/tx/{}', address: 'https://explorer.test/address/{}' },
  burner: false,
  version: 'test',
});
document.head.append(script);

export {};
