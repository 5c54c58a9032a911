/**
 * Returns the idempotency key of a request. The body is part of the key, because a retry after an
 * edit is another request.
 */
export async function keyOf(key: string, body: unknown): Promise<{ 'Idempotency-Key': string }> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(body)));
  const hex = Array.from(new Uint8Array(hash).slice(0, 16), (b) => b.toString(16).padStart(2, '0')).join('');
  return { 'Idempotency-Key': `${key}.${hex}` };
}
