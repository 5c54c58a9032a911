/** The page's side of a verification: starts the worker, receives its responses, and ends the worker. */
import type { Holder, Progress } from 'tokenlaunch/proof';
import type { Answer, Job, Outcome, Request } from './messages';

/** Nothing can be said; the message has the reason. */
export class Stopped extends Error {}
/** The request was wrong; the message has the reason. */
export class Refused extends Error {}

/** A verification. The worker stays for requests about wallets until `end`. */
export class Session {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private drop: (() => void) | null = null;

  /** Verifies the proof; throws Stopped if nothing can be said. */
  verify(job: Job, progress: (progress: Progress) => void): Promise<Outcome> {
    return this.ask({ kind: 'verify', job }, (answer) => {
      if (answer.kind === 'progress') progress(answer.progress);
      return answer.kind === 'outcome' ? answer.outcome : null;
    });
  }

  /** Looks up a wallet in the verified proof. */
  find(wallet: string): Promise<Holder> {
    return this.ask({ kind: 'find', wallet }, (answer) => (answer.kind === 'holder' ? answer.holder : null));
  }

  /** Ends the worker at any time; pending requests are never answered. */
  end(): void {
    this.drop?.();
    this.worker.terminate();
  }

  private ask<T>(request: Request, take: (answer: Answer) => T | null): Promise<T> {
    return new Promise((resolve, reject) => {
      const { worker } = this;
      const over = (then: () => void) => {
        worker.removeEventListener('message', message);
        worker.removeEventListener('error', error);
        then();
      };
      const message = ({ data }: MessageEvent<Answer>) => {
        const got = take(data);
        if (got !== null) over(() => resolve(got));
        if (data.kind === 'stopped') over(() => reject(new Stopped(data.why)));
        if (data.kind === 'refused') over(() => reject(new Refused(data.why)));
      };
      const error = () =>
        over(() => reject(new Stopped('the part of the page that verifies cannot be started')));
      worker.addEventListener('message', message);
      worker.addEventListener('error', error);
      this.drop = () => over(() => {});
      worker.postMessage(request);
    });
  }
}
