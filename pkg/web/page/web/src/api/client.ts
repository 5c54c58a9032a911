import { connect } from 'tokenlaunch/api';

/** Longest wait for an answer, in milliseconds: the service gives up at 25 s. */
const TIMEOUT = 28_000;

/**
 * The public API. What passes by itself is shown, and asked for again by who shows it; so
 * each call is one attempt.
 */
export const api = connect(location.origin, undefined, { attempts: 1, timeout: TIMEOUT });
