/** A storage of texts that never throws. */
export interface Store {
  readonly get: (key: string) => string | null;
  readonly set: (key: string, value: string) => void;
  readonly remove: (key: string) => void;
}

/**
 * Returns a storage of the browser. With blocked cookies, and in some wallets' browsers, the
 * browser's storage throws, or is full: a value then lives as long as the page.
 */
export function safely(storage: () => Storage): Store {
  const memory = new Map<string, string>();
  return {
    get: (key) => {
      try {
        return memory.get(key) ?? storage().getItem(key);
      } catch {
        return memory.get(key) ?? null;
      }
    },
    set: (key, value) => {
      try {
        storage().setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    remove: (key) => {
      memory.delete(key);
      try {
        storage().removeItem(key);
      } catch {
        // Nothing was stored.
      }
    },
  };
}

/** Values of this browser. */
export const local = safely(() => localStorage);

/** Values of this tab. */
export const tab = safely(() => sessionStorage);
