import { vi } from 'vitest';

/** A route of the service: what it answers to a path, or undefined when it is not its own. */
export type Route = (url: URL) => { readonly status?: number; readonly body: unknown } | undefined;

/** Puts answers in the service's place, and returns the requested addresses. */
export function service(...routes: readonly Route[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    asked.push(url.pathname + url.search);
    for (const route of routes) {
      const got = route(url);
      if (got)
        return new Response(JSON.stringify(got.body), {
          status: got.status ?? 200,
          headers: { 'Content-Type': 'application/json' },
        });
    }
    return new Response(
      JSON.stringify({
        type: 'about:blank',
        title: 'No',
        status: 404,
        detail: 'No such path.',
        code: 'not_found',
        requestId: 'r',
      }),
      { status: 404, headers: { 'Content-Type': 'application/problem+json' } },
    );
  });
  return asked;
}

/** Answers one path. */
export const at =
  (path: string, body: unknown, status = 200): Route =>
  (url) =>
    url.pathname === path ? { status, body } : undefined;
