/** Reads fields in turn and collects their errors. */
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
