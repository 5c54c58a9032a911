import { useState } from 'preact/hooks';
import { Problem } from 'tokenlaunch/api';
import { tab } from '../ui/storage';
import type { Wrong } from './document';

/** A small form: the typed values, stored across a reload, and their errors. */
export function useTyped<T extends Readonly<Record<string, string | boolean>>>(key: string, initial: T) {
  const [values, set] = useState<T>(() => {
    try {
      return { ...initial, ...(JSON.parse(tab.get(key) ?? '{}') as Partial<T>) };
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
      tab.set(key, JSON.stringify(next));
      setSaid({});
    },
    leave: (...fields: string[]) => setLeft(new Set([...left, ...fields])),
    /** Clears the typed values. */
    clear: () => {
      set(initial);
      tab.remove(key);
      setLeft(new Set());
      setSaid({});
    },
    /** Returns the errors to show: errors of fields that the visitor has left, and the API's errors. */
    shown: (wrong: Wrong): Wrong => ({
      ...Object.fromEntries(Object.entries(wrong).filter(([field]) => left.has(field))),
      ...said,
    }),
    /** Runs a call, and stores the API's errors of fields. */
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
