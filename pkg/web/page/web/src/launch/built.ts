import document from 'virtual:schemas';
import { checkers } from './document';

/** The checkers of the document that the page was built of; the service has the same. */
export const rules = checkers(document);
