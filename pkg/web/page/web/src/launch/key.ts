/**
 * The key of a request that may be sent again. What was typed may change between two tries; then
 * it is another request, so the body is part of the key.
 */
export async function keyOf(key: string, body: unknown): Promise<{ 'Idempotency-Key': string }> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(body)));
  const hex = Array.from(new Uint8Array(hash).slice(0, 16), (b) => b.toString(16).padStart(2, '0')).join('');
  return { 'Idempotency-Key': `${key}.${hex}` };
}
