/** Reads fields one after the other and collects what is wrong with them. */
export function reading() {
  const wrong: Record<string, string> = {};
  const read = <T>(field: string, parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (cause) {
      wrong[field] = (cause as Error).message;
      return undefined;
    }
  };
  return { read, wrong };
}
