import { useState } from 'preact/hooks';
import { Problem } from 'tokenlaunch/api';
import type { Wrong } from './document';

/** A small form: what was typed, kept over a reload, and what is wrong with it. */
export function useTyped<T extends Readonly<Record<string, string | boolean>>>(key: string, initial: T) {
  const [values, set] = useState<T>(() => {
    try {
      return { ...initial, ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<T>) };
    } catch {
      return initial;
    }
  });
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState<Wrong>({});
  return {
    values,
    type: (field: keyof T & string, value: string | boolean) => {
      const next = { ...values, [field]: value };
      set(next);
      sessionStorage.setItem(key, JSON.stringify(next));
      setSaid({});
    },
    leave: (...fields: string[]) => setLeft(new Set([...left, ...fields])),
    /** Forgets what was typed. */
    clear: () => {
      set(initial);
      sessionStorage.removeItem(key);
      setLeft(new Set());
      setSaid({});
    },
    /** What is to be shown: of fields that were left, and what the API said. */
    shown: (wrong: Wrong): Wrong => ({
      ...Object.fromEntries(Object.entries(wrong).filter(([field]) => left.has(field))),
      ...said,
    }),
    /** Runs a call, and keeps what the API says of fields. */
    tell: async <R>(call: () => Promise<R>): Promise<R> => {
      try {
        setSaid({});
        return await call();
      } catch (cause) {
        if (cause instanceof Problem)
          setSaid(Object.fromEntries(cause.fields.map((f) => [f.field, f.message])));
        throw cause;
      }
    },
  };
}
