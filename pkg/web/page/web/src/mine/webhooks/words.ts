import words from 'virtual:events';
import { moment } from '../../ui/clock';
import { from } from '../when';
import type { Delivery, Webhook, WebhookCreation } from './calls';

/** The maximum number of webhooks of a wallet. */
export const MOST = 5;

export type EventName = WebhookCreation['events'][number];

/** The events of webhooks. */
export const eventWords: Readonly<Record<EventName, string>> = words;

export const events = Object.keys(eventWords) as EventName[];

export const typeWords: Readonly<Record<Delivery['type'], string>> = {
  ...eventWords,
  'webhook.challenge': 'Challenge',
  'webhook.test': 'Test',
};

export const statusWords: Readonly<Record<Webhook['status'], string>> = {
  pending: 'Waiting for an answer',
  active: 'Active',
  disabled: 'Disabled',
};

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Describes the outcome of a delivery in a sentence. */
export function outcome(delivery: Delivery, now: number): string {
  const { status, attempts, deliveredAt, nextAttemptAt } = delivery;
  if (status === 'delivered') return deliveredAt ? `Delivered ${moment(deliveredAt)}.` : 'Delivered.';
  if (status === 'failed') return `Failed. Sent ${times(attempts)}; it is not sent again automatically.`;
  if (attempts === 0) return 'On its way.';
  if (!nextAttemptAt || Date.parse(nextAttemptAt) <= now)
    return `Not delivered yet. Sent ${times(attempts)}; the next attempt is due now.`;
  return `Not delivered yet. Sent ${times(attempts)}; next attempt ${from(nextAttemptAt, now)}.`;
}
