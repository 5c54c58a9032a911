/** The way of what was signed to the network, for all that the service does not send itself. */
export { broadcast, signatureOf, type Watching, words } from './broadcast.js';
export { type Ask, NodeError, nodeAt } from './node.js';
export { taxOf } from './tax.js';
