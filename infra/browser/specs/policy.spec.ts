import { expect, test } from '../fixtures/test';

const paths = ['/', '/launch', '/mine', '/rewards', '/t/nonsense', '/t/…'];

for (const name of paths) {
  test(`${name} may load only its own files`, async ({ request, stage, config }) => {
    const path = name === '/t/…' ? `/t/${(await stage.traded()).mintAddress}` : name;
    const header = (await request.get(path)).headers()['content-security-policy'] ?? '';
    const policy = new Map(
      header.split(';').map((part) => {
        const [directive = '', ...sources] = part.trim().split(/\s+/);
        return [directive, sources];
      }),
    );
    expect(policy.get('default-src')).toEqual(["'none'"]);
    for (const directive of ['script-src', 'style-src']) expect(policy.get(directive)).toEqual(["'self'"]);
    for (const directive of ['base-uri', 'frame-ancestors', 'form-action'])
      expect(policy.get(directive)).toEqual(["'none'"]);
    const own = [config.apiUrl, config.rpcUrl, config.filesUrl, config.proofUrl]
      .filter((url) => url !== '')
      .map((url) => new URL(url).origin);
    for (const [directive, sources] of policy) {
      for (const source of sources) {
        expect(source, directive).not.toMatch(/unsafe|\*|^https?:$|strict-dynamic/);
        if (!source.startsWith("'") && !['blob:', 'data:'].includes(source)) expect(own).toContain(source);
        if (['blob:', 'data:'].includes(source)) expect(directive).toBe('img-src');
      }
    }
  });
}
