import { config } from '../config';

/** Returns a title for the browser's tab. */
export const titled = (title: string): string => `${title} · ${config.name}`;

/** The mark: a divided coin. The favicon has the same paths. */
export function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 32 32" width={32} height={32} aria-hidden="true">
      <path class="one" d="M15 2a11.5 11.5 0 0 0 0 23z" />
      <path class="other" d="M17 7a11.5 11.5 0 0 1 0 23z" />
    </svg>
  );
}
