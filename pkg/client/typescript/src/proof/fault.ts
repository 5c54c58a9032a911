/** Something does not hold of a proof. The message describes it, in one line or several. */
export class Fault extends Error {}

/** A file of a proof is missing wherever it could be. */
export class NoFile extends Fault {}

/** Says where it was that something does not hold; what is no fault stays as it is. */
export function within(where: string, cause: unknown): unknown {
  if (cause instanceof NoFile) return new NoFile(`${where}: ${cause.message}`);
  return cause instanceof Fault ? new Fault(`${where}: ${cause.message}`) : cause;
}

/** No source answers: this says nothing about the proof. */
export class Unreachable extends Error {}

/** The reader has stopped the verification. */
export class Stopped extends Error {}

/** Gathers what does not hold, so that a report names all of it. */
export class Rules {
  private readonly broken: string[] = [];

  /** Notes the message unless it holds. */
  hold(ok: boolean, message: () => string): void {
    if (!ok) this.broken.push(message());
  }

  /** Notes what a rule of rules finds. */
  try(check: () => void): void {
    try {
      check();
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause;
      this.broken.push(cause.message);
    }
  }

  /** Whether rules of their own find nothing. */
  holds(check: (r: Rules) => void): boolean {
    const own = new Rules();
    check(own);
    return own.broken.length === 0;
  }

  /** Throws what was noted, if anything was. */
  end(): void {
    if (this.broken.length > 0) throw new Fault(this.broken.join('\n'));
  }
}

/** What went wrong, as one text. */
export const said = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
