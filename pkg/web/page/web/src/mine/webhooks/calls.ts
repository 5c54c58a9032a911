import { answer, bearer, Problem, type Schemas } from 'tokenlaunch/api';
import { api } from '../../api/client';
import type { Session } from '../../wallet/session';

export type Webhook = Schemas['Webhook'];
export type CreatedWebhook = Schemas['CreatedWebhook'];
export type WebhookCreation = Schemas['WebhookCreation'];
export type Delivery = Schemas['Delivery'];

/** Returns the wallet's webhooks, oldest first. */
export async function listWebhooks(session: Session): Promise<readonly Webhook[]> {
  return (await answer(api.GET('/webhooks', { headers: bearer(session.token) }))).webhooks;
}

/** Adds a webhook. Only this response has the secret. Errors of the URL become a field's problem. */
export async function addWebhook(session: Session, body: WebhookCreation): Promise<CreatedWebhook> {
  try {
    return await answer(api.POST('/webhooks', { body, headers: bearer(session.token) }));
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.code !== 'url_not_allowed') throw cause;
    const { code, message, status, requestId } = cause;
    throw new Problem(code, message, { status, requestId, fields: [{ field: 'url', code, message }] });
  }
}

export async function deleteWebhook(session: Session, webhookId: string): Promise<void> {
  await answer(
    api.DELETE('/webhooks/{webhookId}', {
      params: { path: { webhookId } },
      headers: bearer(session.token),
    }),
  );
}

/** Sends a test message, or a challenge to a webhook that is not active. */
export async function testWebhook(session: Session, webhookId: string): Promise<void> {
  await answer(
    api.POST('/webhooks/{webhookId}/test', {
      params: { path: { webhookId } },
      headers: bearer(session.token),
    }),
  );
}

/** Returns the newest deliveries of a webhook, up to the requested number. */
export async function listDeliveries(
  session: Session,
  webhookId: string,
  limit: number,
): Promise<Schemas['DeliveryList']> {
  return answer(
    api.GET('/webhooks/{webhookId}/deliveries', {
      params: { path: { webhookId }, query: { limit } },
      headers: bearer(session.token),
    }),
  );
}

export async function replayDelivery(session: Session, webhookId: string, deliveryId: string): Promise<void> {
  await answer(
    api.POST('/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
      params: { path: { webhookId, deliveryId } },
      headers: bearer(session.token),
    }),
  );
}

/** A token for the events of a webhook. */
export type Own = Pick<Schemas['Token'], 'mintAddress' | 'name' | 'symbol'>;

/** Returns the newest hundred tokens of the wallet, the maximum for a webhook. */
export async function ownTokens(session: Session): Promise<readonly Own[]> {
  const query = { page: 1, limit: 100 };
  const { tokens } = await answer(
    api.GET('/tokens/me', { params: { query }, headers: bearer(session.token) }),
  );
  return tokens.filter((token) => token.status === 'confirmed');
}
