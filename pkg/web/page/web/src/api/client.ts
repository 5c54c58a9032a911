import { connect } from 'tokenlaunch/api';

/** Maximum wait for a response, in milliseconds. The service's own timeout is 25 s. */
const TIMEOUT = 28_000;

/**
 * The public API. A call is a single attempt, because the code that shows a transient problem also
 * retries the call.
 */
export const api = connect(location.origin, undefined, { attempts: 1, timeout: TIMEOUT });
