// Lambda's runtime API, as a runtime client asks it: the next event, its answer, and again.
// It does less than AWS's own client for Node (aws-lambda-ric, which has to be compiled).
import { Agent, request } from 'node:http';

const [host, port] = process.env.AWS_LAMBDA_RUNTIME_API.split(':');
const agent = new Agent({ keepAlive: true });

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const r = request({ agent, host, port, method, path: `/2018-06-01/runtime/invocation/${path}` }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => resolve({ id: answer.headers['lambda-runtime-aws-request-id'], text: Buffer.concat(parts).toString() }));
      answer.on('error', reject);
    });
    r.on('error', reject);
    r.end(body);
  });
}

export async function serve(handler) {
  for (;;) {
    const { id, text } = await call('GET', 'next');
    try {
      await call('POST', `${id}/response`, JSON.stringify(await handler(JSON.parse(text))));
    } catch (error) {
      await call('POST', `${id}/error`, JSON.stringify({ errorType: error.name, errorMessage: error.message }));
    }
  }
}
