import document from 'virtual:schemas';
import { checkers } from './document';

/** The checkers of the OpenAPI document at build time; the service has the same checkers. */
export const rules = checkers(document);
