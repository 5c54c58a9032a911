import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
}

/** The samples in TypeScript that the API's document has, by file names of their operations. */
function samplesOfTheDocument(): ReadonlyMap<string, string> {
  const file = join(root, '../../api/endpoint/docs/dist/openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.map(({ operationId, 'x-codeSamples': samples }) => [
      join(root, 'test/api', `${operationId}.ts`),
      samples.find(({ lang }) => lang === 'TypeScript')?.source ?? '',
    ]),
  );
}

/** What the compiler says of files that are in memory alone, with the package's own options. */
function compile(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const paths = { 'tokenlaunch/api': [join(root, 'src/api/index.ts')] };
  const host = ts.createCompilerHost({ ...options, paths });
  const read = host.readFile.bind(host);
  const exists = host.fileExists.bind(host);
  const source = host.getSourceFile.bind(host);
  host.readFile = (name) => files.get(name) ?? read(name);
  host.fileExists = (name) => files.has(name) || exists(name);
  host.getSourceFile = (name, language) => {
    const text = files.get(name);
    return text === undefined ? source(name, language) : ts.createSourceFile(name, text, language);
  };
  const program = ts.createProgram([...files.keys()], { ...options, paths }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map((d) => `${d.file?.fileName}: ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`);
}

describe('the samples of the API document', { timeout: 120_000 }, () => {
  const samples = samplesOfTheDocument();
  it('are there for every operation', () => {
    expect(samples.size).toBeGreaterThan(30);
    for (const [name, text] of samples) expect(text, name).toContain("from 'tokenlaunch/api'");
  });

  it('have the types of the package, which finds an amount that is a number', () => {
    const [name, text] = [...samples].find(([file]) => file.endsWith('/createUnsignedBuy.ts')) ?? ['', ''];
    const wrong = name.replace('.ts', '.wrong.ts');
    const files = new Map([...samples, [wrong, text.replace(/tokenAmount: '\d+'/, 'tokenAmount: 1')]]);
    const finding = expect.stringMatching(/wrong\.ts: Type 'number' is not assignable to type 'string'/);
    expect(compile(files)).toEqual([finding]);
  });
});
